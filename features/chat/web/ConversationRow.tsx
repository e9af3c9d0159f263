import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { langOf, useLang, useText } from '#web/i18n.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Name } from '#web/ui/Name.tsx'
import type { Last } from '../contract.ts'
import { shortWhen } from './dates.ts'
import { loadDraft } from './drafts.ts'
import { chatText } from './text.ts'
import { type ConversationRef, useUnread } from './unread.ts'

interface RowProps {
  place: ConversationRef
  href: string
  name: string
  face: ReactNode
  last: Last | null
  /** What stands where nothing was said yet. */
  silent?: string | undefined
  me: number
  /** Whether the author of a line is named. */
  named?: boolean
  current: boolean
}

/** A conversation in a list. */
export function ConversationRow({ place, href, name, face, last, silent, me, named, current }: RowProps) {
  const t = useText(chatText)
  const lang = useLang()
  const draft = current ? '' : loadDraft(me, place)
  const unread = useUnread()[place.kind][place.id] ?? 0
  return (
    <li>
      <Link
        className={unread ? 'row unread' : 'row'}
        href={href}
        aria-current={current ? 'page' : undefined}
        data-place={`${place.kind} ${place.id}`}
      >
        {face}
        <span className="text">
          <Name className="name">{name}</Name>
          {draft ? (
            <span className="line">
              <b>{t.draft}</b>
              {t.colon}
              <bdi lang={langOf(draft)}>{draft.replace(/\s+/g, ' ')}</bdi>
            </span>
          ) : last ? (
            <Line last={last} me={me} named={named} />
          ) : (
            silent && <span className="line">{silent}</span>
          )}
        </span>
        <span className="end">
          {last && <time dateTime={last.created_at}>{shortWhen(last.created_at, lang)}</time>}
          <Badge count={unread} />
        </span>
      </Link>
    </li>
  )
}

function Line({ last, me, named }: { last: Last; me: number; named: boolean | undefined }) {
  const t = useText(chatText)
  const said = last.deleted_at ? t.deleted : last.message.replace(/\s+/g, ' ') || t.picture
  const author = last.user_id === me ? t.you : named ? last.name : null
  return (
    <span className="line">
      {author && (
        <>
          <bdi>{author}</bdi>
          {t.colon}
        </>
      )}
      <bdi lang={langOf(said)}>{said}</bdi>
    </span>
  )
}
