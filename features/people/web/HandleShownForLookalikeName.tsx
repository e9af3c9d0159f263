import type { Person } from '../contract.ts'

/** Renders the handle of a person, but only if somebody else has a name that looks the same. */
export const HandleShownForLookalikeName = ({
  person: { shared_handle },
}: {
  person: Pick<Person, 'shared_handle'>
}) =>
  shared_handle ? (
    <span className="text-meta handle" dir="ltr">
      {`@${shared_handle}`}
    </span>
  ) : null
