// What each column of a file is, to look at and to change: then the file is read again.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ColumnChoice, UnderstoodColumn } from '../../../src/data/catalogue/columns.ts';
import { choiceOf, faultOfRoles, ROLE_LABELS, type Role, type Roles, rolesOf } from './column-choice.ts';
import { readAs } from './train-state.ts';

interface ColumnRolesProps {
  readonly columns: readonly UnderstoodColumn[];
  /** What a person said before: it stays until they change it. */
  readonly said: ColumnChoice;
  readonly isOff: boolean;
  /** Whether nothing is known of them: a person must say what they are. */
  readonly isUnknown?: boolean;
}

const SEPARATORS = [
  ['', 'detect'],
  [',', ','],
  [';', ';'],
  ['|', '|'],
  ['/', '/'],
  [' ', 'a space'],
  ['\n', 'a line break'],
] as const;

export function ColumnRoles({ columns, said, isOff, isUnknown = false }: ColumnRolesProps) {
  const none: Role = isUnknown ? 'detect' : '';
  const detected: Roles = Object.fromEntries(columns.map(({ name, role }) => [name, role ?? none]));
  const [chosen, setChosen] = useState<Roles>(isUnknown ? rolesOf(said) : {});
  const [separator, setSeparator] = useState(said.separator ?? '');
  const roles = { ...detected, ...chosen };
  const isChanged = separator !== (said.separator ?? '') || columns.some(({ name }) => roles[name] !== detected[name]);
  const fault = isChanged ? faultOfRoles(roles) : undefined;
  const summary = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // the button that was pressed is gone: whoever works by keyboard goes on from here
    const isAgain = Object.keys(said).length > 0 && document.activeElement === document.body;
    if (isAgain) summary.current?.focus({ preventScroll: true });
  }, []);
  const again = (event: SubmitEvent) => {
    event.preventDefault();
    if (isChanged && fault === undefined) void readAs(choiceOf(roles, separator));
  };
  return (
    <details class="column-roles" open={isUnknown}>
      <summary ref={summary}>Change what the columns are</summary>
      <form onSubmit={again}>
        <div class="role-list">
          {columns.map(({ name, why }) => (
            <RoleField
              key={name}
              {...{ name, why, isUnknown, isOff }}
              role={roles[name]}
              choose={(role) => setChosen({ ...chosen, [name]: role })}
            />
          ))}
          <label class="role-field">
            <span class="role-name">Between tags</span>
            <select value={separator} disabled={isOff} onChange={(event) => setSeparator(event.currentTarget.value)}>
              {SEPARATORS.map(([value, label]) => (
                <option key={label} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <small>what separates them in a cell</small>
          </label>
        </div>
        <div class="begin">
          <button type="submit" disabled={isOff || !isChanged || fault !== undefined}>
            Read again
          </button>
          {fault !== undefined && <small role="alert">{fault}</small>}
        </div>
      </form>
    </details>
  );
}

interface RoleFieldProps {
  readonly name: string;
  readonly why: string;
  readonly role: Role;
  readonly isUnknown: boolean;
  readonly isOff: boolean;
  choose(role: Role): void;
}

function RoleField({ name, why, role, isUnknown, isOff, choose }: RoleFieldProps) {
  return (
    <label class="role-field">
      <span class="role-name">{name}</span>
      <select value={role} disabled={isOff} onChange={(event) => choose(event.currentTarget.value as Role)}>
        {isUnknown && <option value="detect">detect</option>}
        {ROLE_LABELS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value="">not used</option>
      </select>
      <small>{why}</small>
    </label>
  );
}
