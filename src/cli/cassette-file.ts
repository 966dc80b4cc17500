// Reads and writes the recordings of svc eval --record and --replay.
import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Cassette,
  cassetteLine,
  createRecordingCassette,
  createReplayingCassette,
} from '../adapters/language-model/cassette.ts';
import { Failure } from './terminal/failure.ts';

export async function openCassette(options: { record?: string; replay?: string }): Promise<Cassette | null> {
  if (options.record && options.replay) throw new Failure('Give either --record or --replay, not both.', 2);
  if (options.record) return createRecorder(options.record);
  return options.replay ? openReplayer(options.replay) : null;
}

function createRecorder(file: string): Cassette {
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (fault) {
    const reason = (fault as NodeJS.ErrnoException).code === 'EEXIST' ? 'it already exists' : (fault as Error).message;
    throw new Failure(`Can't create the recording ${file}: ${reason}.`, 2);
  }
  return createRecordingCassette((line) => appendFileSync(file, `${JSON.stringify(line)}\n`));
}

async function openReplayer(file: string): Promise<Cassette> {
  const text = await readFile(file, 'utf8').catch((fault: Error) => {
    throw new Failure(`Can't read the recording ${file}: ${fault.message}.`, 2);
  });
  const lines = text.split('\n').flatMap((line, lineIndex) => {
    if (line.trim() === '') return [];
    try {
      return [cassetteLine.parse(JSON.parse(line))];
    } catch {
      throw new Failure(`${file}, line ${lineIndex + 1}: this line is not part of a recording.`, 2);
    }
  });
  return createReplayingCassette(lines);
}
