import { Select } from '@mantine/core';

const ROLES = ['viewer', 'curator', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const ROLE_NAMES = { viewer: 'Viewer', curator: 'Curator', admin: 'Admin' };
const ROLE_DESCRIPTIONS = {
  viewer:
    'A viewer can ask questions with the lenses of a linked caller. A viewer without a caller can view all pages but can’t ask questions.',
  curator:
    'A curator sees all rows of every lens, and can edit the definitions in lenses, but not data, access or settings.',
  admin: 'An admin sees and can change everything.',
};

export const RoleSelect = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <Select
    label="Role"
    description={ROLE_DESCRIPTIONS[value]}
    allowDeselect={false}
    data={ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))}
    value={value}
    onChange={(role) => onChange(role as Role)}
  />
);
