// svc lens phrases LENS: lists questions that the lens answers, by dataset.
import type { PhraseList } from '../contract/complete.ts';
import { connect, listAll } from './client.ts';

export async function phrasesCommand(lens: string, { json }: { json?: boolean }): Promise<void> {
  const client = await connect('caller');
  const path = `/v1/lenses/${encodeURIComponent(lens)}/phrases`;
  const items = await listAll<PhraseList['items'][number]>(client, path);
  if (json) {
    console.log(JSON.stringify(items, null, 2));
    return;
  }
  if (items.length === 0) console.log(`No phrases: svc can’t make a question from the names in ${lens}.`);
  for (const topic of new Set(items.map((item) => item.about))) {
    console.log(topic);
    for (const item of items) if (item.about === topic) console.log(`  ${item.sentence}`);
  }
}
