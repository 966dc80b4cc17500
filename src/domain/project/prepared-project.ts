// A project that svc has read, compared with the deployed state, and checked.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { WantedState } from './project-state.ts';
import type { ReadDictionary } from './read-dictionaries.ts';

export interface PreparedProject {
  wantedState: WantedState;
  dictionaries: Map<string, ReadDictionary[]>;
  /** The names of lenses whose content or connection differs from the deployed version. */
  touched: Set<string>;
  problems: ProjectProblem[];
  warnings: string[];
  /** Whether files, connections and secrets are the same as deployed. If so, svc has nothing to check or write. */
  identical: boolean;
}
