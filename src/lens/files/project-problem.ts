/** A problem in a project file, with its location. */
export interface ProjectProblem {
  path: string;
  line: number;
  column: number;
  /** JSON pointer inside the file. */
  pointer: string;
  code: string;
  message: string;
  severity: 'error' | 'warning';
}
