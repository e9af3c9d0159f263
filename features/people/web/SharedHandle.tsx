import type { Person } from '../contract.ts'

/** Nothing, unless somebody else has a name that looks the same. */
export const SharedHandle = ({ person: { shared_handle } }: { person: Pick<Person, 'shared_handle'> }) =>
  shared_handle ? (
    <span className="text-meta handle" dir="ltr">
      {`@${shared_handle}`}
    </span>
  ) : null
