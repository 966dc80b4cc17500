export interface IntrospectionResult {
  connection: string;
  lens: string;
  files: Record<string, string>;
  tables: number;
  joins: { from: string | string[]; to: string | string[]; evidence: string }[];
  look_at: { topic: string; about: string; message: string }[];
  left_out: string[];
  personal: string[];
  sample_questions: string[];
  draft_id: string | null;
}
