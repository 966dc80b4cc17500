// What a project asks for once it is read, compared with what is deployed, and checked.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { WantedState } from './project-state.ts';
import type { ReadDictionary } from './read-dictionaries.ts';

export interface PreparedProject {
  wanted: WantedState;
  dictionaries: Map<string, ReadDictionary[]>;
  /** Lenses whose content or connection differs from what is deployed. */
  touched: Set<string>;
  problems: ProjectProblem[];
  warnings: string[];
  /** The same bytes, connections and secrets as deployed: nothing to check, nothing to write. */
  identical: boolean;
}
