// The governed shop of the MySQL guard tests: orders (with a masked field and a row policy) and buyers, in the schema
// shop.
import type { GuardScope } from '../../src/guard/guarded-sql.ts';

const FIELDS = 'row_id order_date region segment state sales profit customer_id customer_name'.split(' ');

export function mysqlShopScope(
  options: Partial<GuardScope> & { policy?: string | null; fields?: string[] } = {},
): GuardScope {
  const { policy = "region = 'West'", fields = FIELDS, ...more } = options;
  const listedColumns = fields
    .map((name) => (name === 'customer_name' ? 'cast(null as char) as `customer_name`' : `\`${name}\``))
    .join(', ');
  const rest = ` from \`shop\`.\`orders\`${policy === null ? '' : ` where ${policy}`}`;
  return {
    dialect: 'mysql',
    mode: 'govern',
    maxRows: 500,
    relations: [
      {
        source: { catalog: null, schema: 'shop', table: 'orders' },
        dataset: 'orders',
        columns: fields,
        masked: ['customer_name'],
        policies: policy === null ? [] : ['own-region'],
        body: `select ${listedColumns}${rest}`,
        raw: {
          body: `select ${listedColumns}, \`customer_name\` as \`svc_raw_customer_name\`${rest}`,
          columns: { customer_name: 'svc_raw_customer_name' },
        },
      },
      {
        source: { catalog: null, schema: 'shop', table: 'customers' },
        dataset: 'buyers',
        columns: ['customer_id', 'city'],
        masked: [],
        policies: [],
        body: 'select `customer_id`, `city` from `shop`.`customers`',
      },
    ],
    ...more,
  };
}
