// Stored text can contain characters that reorder or hide other text, so the app shows their code points.
const HIDDEN_CHARACTER_PATTERN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export const showHiddenCharacters = (text: string): string =>
  text.replace(
    HIDDEN_CHARACTER_PATTERN,
    (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
