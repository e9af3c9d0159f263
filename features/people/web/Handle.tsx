interface Named {
  handle: string | null
  shares_name: boolean
}

/** The handle of a person, shown only where somebody else has a name that looks the same. */
export const Handle = ({ of: { handle, shares_name } }: { of: Named }) =>
  shares_name && handle ? (
    <span className="meta" dir="ltr">
      {`@${handle}`}
    </span>
  ) : null
