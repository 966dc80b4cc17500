// `@databricks/sql` as far as svc uses it, over the socket of spark.py: the outermost place, so that all of svc runs as it does
// in front of Databricks.
const net = require('node:net');

class DBSQLParameter {
  constructor({ type, value }) {
    Object.assign(this, { type, value });
  }
}

class DBSQLClient {
  getConfig() {
    return {};
  }
  async connect(options) {
    this.options = options;
    return this;
  }
  async openSession({ initialSchema }) {
    const { host, port } = this.options;
    return {
      executeStatement: async (sql, { ordinalParameters = [] }) => {
        const socket = net.connect(port, host);
        const answered = new Promise((resolve, reject) => {
          let text = '';
          socket.on('data', (data) => {
            text += data;
          });
          socket.on('error', reject);
          socket.on('close', () => (text ? resolve(JSON.parse(text)) : reject(new Error('gone'))));
        });
        answered.catch(() => undefined);
        socket.write(`${JSON.stringify({ sql, schema: initialSchema, parameters: ordinalParameters })}\n`);
        return {
          async *iterateChunks() {
            const { columns, rows, error } = await answered;
            if (error) throw new Error(error);
            yield rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], cell(value)])));
          },
          cancel: async () => socket.destroy(),
          close: async () => socket.destroy(),
        };
      },
      close: async () => undefined,
    };
  }
  async close() {}
}

const cell = (value) =>
  typeof value !== 'object' || value === null ? value : value.big ? BigInt(value.big) : new Date(`${value.day}T00:00:00Z`);

module.exports = { DBSQLClient, DBSQLParameter };
