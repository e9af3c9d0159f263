import { FileText } from 'lucide-react'
import { detectLanguage, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Hit } from '../contract.ts'
import { searchText } from './text.ts'

interface Props {
  hits: readonly Hit[]
  /** All hits are in one group. */
  inGroup: boolean
  onOpen: () => void
}

export const Hits = ({ hits, inGroup, onOpen }: Props) => (
  <ul className="cards flush">
    {hits.map((hit) => (
      <li key={`${hit.kind} ${hit.id}`}>
        <Link className="row hit" href={hit.url} onClick={onOpen}>
          <Picture hit={hit} />
          <span className="text">
            {hit.kind === 'person' || hit.kind === 'group' ? (
              <Named hit={hit} />
            ) : (
              <Written hit={inGroup ? { ...hit, title: '' } : hit} />
            )}
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

function Picture({ hit: { kind, id, title, user } }: { hit: Hit }) {
  if (kind === 'group') return <Avatar person={{ id, name: title, profile_image: null }} group />
  if (kind === 'file')
    return (
      <span className="hit-file" aria-hidden="true">
        <Icon icon={FileText} />
      </span>
    )
  return <Avatar person={user} />
}

/** A person or a group: the words are in the name, or in what stands below it. */
function Named({ hit: { title, snippet, marks } }: { hit: Hit }) {
  const isName = snippet === title
  return (
    <>
      <b className="name" dir="auto" lang={detectLanguage(title)}>
        {isName ? <Marked text={snippet} marks={marks} /> : title}
      </b>
      {!isName && snippet && <Snippet text={snippet} marks={marks} />}
    </>
  )
}

function Written({ hit: { kind, title, snippet, part, marks, user, created_at } }: { hit: Hit }) {
  const t = useText(searchText)
  const me = useMe()
  const place = kind === 'file' || title === user?.name ? '' : title
  return (
    <>
      <span className="hit-head">
        <b className="name">{user && (user.id === me?.id ? t.you : <UserText>{user.name}</UserText>)}</b>
        <RelativeTime at={created_at} />
      </span>
      {place && <UserText className="line">{place}</UserText>}
      {part && <span className="text-meta">{t.parts[part]}</span>}
      <Snippet text={snippet} marks={marks} />
    </>
  )
}

interface MarkedProps {
  text: string
  /** In code points. */
  marks: readonly number[][]
}
const Snippet = (props: MarkedProps) => (
  <span className="hit-snippet" dir="auto" lang={detectLanguage(props.text)}>
    <Marked {...props} />
  </span>
)

function Marked({ text, marks }: MarkedProps) {
  const letters = [...text]
  const cut = (from: number, to?: number) => letters.slice(from, to).join('')
  return (
    <>
      {marks.map(([begin = 0, end = 0], at) => (
        <span key={begin}>
          {cut(marks[at - 1]?.[1] ?? 0, begin)}
          <mark>{cut(begin, end)}</mark>
        </span>
      ))}
      {cut(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}
