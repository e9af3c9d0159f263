import { Name } from '#web/ui/Name.tsx'

/** A sentence about somebody, or about a group: the name in it keeps its own language. */
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
