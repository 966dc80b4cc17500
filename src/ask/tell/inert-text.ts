// Data is data: nothing in a stored value may become a link, an image, markup or a control sequence of the reader's screen.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const LINK = /!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g;

/** Links in links: what is left of deeper ones is no markup any more. */
const DEEPEST = 16;

export function inertText(text: string): string {
  let plain = text.replace(CONTROL, ' ');
  for (let depth = 0; depth < DEEPEST; depth++) {
    const before = plain;
    plain = plain.replace(LINK, '$1');
    if (before === plain) break;
  }
  return inertMarkup(plain);
}

/** The same where a text must stay what it says, SQL among it: blanks alone keep a renderer from reading markup. */
export const inertMarkup = (text: string): string =>
  text
    .replace(/\](?=[([:])/g, '] ')
    .replace(/!(?=\[)/g, '! ')
    .replace(/<(?=[a-z!/?])/gi, '< ');
