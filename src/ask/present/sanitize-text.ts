// Makes stored values safe to show, so that they can't become a link, an image, markup or a terminal control sequence.
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const MARKDOWN_LINK_PATTERN = /!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g;

const MAX_DEPTH = 16;

export function sanitizeText(text: string): string {
  let strippedText = text.replace(CONTROL_CHARACTER_PATTERN, ' ');
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const previousText = strippedText;
    strippedText = strippedText.replace(MARKDOWN_LINK_PATTERN, '$1');
    if (previousText === strippedText) break;
  }
  return sanitizeMarkup(strippedText);
}

/** Only adds spaces that prevent markup, so that text such as SQL keeps its meaning. */
export const sanitizeMarkup = (text: string): string =>
  text
    .replace(/\](?=[([])|(?<!\w\[\d{1,9})\](?=:)/g, '] ')
    .replace(/!(?=\[)/g, '! ')
    .replace(/<(?=[a-z!/?])/gi, '< ');
