import type { TextPart } from '#features/people/text-parts-contract.ts'
import { initialPageData } from '#web/page-data.ts'
import { Link } from '#web/ui/Link.tsx'

type TagLinkProps = Omit<Extract<TextPart, { kind: 'tag' }>, 'kind'>

/**
 * Renders a tag such as `#garden` in a text: as a link to the posts with the tag if the feature `tags` runs,
 * or else as plain text.
 */
export const TagLink = ({ text, tag }: TagLinkProps) =>
  initialPageData.app.features.includes('tags') ? (
    <Link className="link" href={`/tags/${encodeURIComponent(tag)}`}>
      {text}
    </Link>
  ) : (
    text
  )
