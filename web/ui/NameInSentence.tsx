import { Name } from '#web/ui/Name.tsx'

/** A sentence around the name of a person or a group. The name is marked with its own language. */
export const NameInSentence = ({
  words: [before, after],
  name,
}: {
  words: readonly [string, string]
  name: string
}) => (
  <>
    {before}
    <Name>{name}</Name>
    {after}
  </>
)
