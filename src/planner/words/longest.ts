// How long a question may be that is read: what is read is read at once, and others wait meanwhile.
/** Signs. */
export const LONGEST = 2000;
export const MAX_WORDS = 120;
