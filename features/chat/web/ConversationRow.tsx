import { Link } from 'wouter'
import type { Person } from '#features/people/contract.ts'
import { langOf, useLang, useText } from '#web/i18n.ts'
import { readLocal } from '#web/local-storage.ts'
import { useHere } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Name } from '#web/ui/Name.tsx'
import {
  type ConversationRef,
  chatState,
  conversationKey,
  type ListedConversation,
  newestTime,
} from './chat-state.ts'
import { shortWhen } from './format.ts'
import { chatText } from './text.ts'

/** The key in localStorage of the text that somebody began to write in a conversation. */
export const draftKey = (me: number, conversation: ConversationRef) =>
  `engawa:talk:${me}:${conversationKey(conversation)}`

interface ConversationRowProps {
  conversation: ListedConversation
  me: number
  current: boolean
  /** Shows the number of members in place of the last message. */
  withoutMessage?: boolean
}

/** A conversation in a list. */
export function ConversationRow({ conversation, me, current, withoutMessage }: ConversationRowProps) {
  const lang = useLang()
  const { kind, id, name, person } = conversation
  const unread = useStore(chatState, (state) => state.unread[kind][id] ?? 0)
  const last = withoutMessage ? null : conversation.last
  const at = newestTime(conversation)
  return (
    <li>
      <Link
        className={unread ? 'row unread' : 'row'}
        href={kind === 'private' ? `/privatechat/${id}` : `/group-chat/${id}`}
        aria-current={current ? 'page' : undefined}
      >
        {person ? (
          <PresenceAvatar person={person} />
        ) : (
          <Avatar person={{ id, name, profile_image: null }} group />
        )}
        <span className="text">
          <Name className="name">{name}</Name>
          <Preview
            conversation={{ ...conversation, last, added: withoutMessage ? null : conversation.added }}
            me={me}
            draft={current ? null : readLocal(draftKey(me, conversation))}
          />
        </span>
        <span className="end">
          {!withoutMessage && at && <time dateTime={at}>{shortWhen(at, lang)}</time>}
          <Badge count={unread} />
        </span>
      </Link>
    </li>
  )
}

interface PreviewProps {
  conversation: ListedConversation
  me: number
  draft: string | null
}

/** One line of the draft or of the last message. In a new group: who added me. */
function Preview({ conversation: { kind, last, added, membersCount }, me, draft }: PreviewProps) {
  const t = useText(chatText)
  if (!draft && added?.by && added.by.id !== me && added.at > (last?.created_at ?? ''))
    return <span className="line">{t.addedYou(added.by.name)}</span>
  if (!draft && !last) return kind === 'groups' && <span className="line">{t.members(membersCount)}</span>
  const text = draft || (last!.deleted_at ? t.deleted : last!.message)
  const line = text.replace(/\s+/g, ' ') || t.picture
  const author = draft || !last ? null : last.user_id === me ? t.you : kind === 'groups' ? last.name : null
  return (
    <span className="line">
      {draft && (
        <>
          <b>{t.draft}</b>
          {t.colon}
        </>
      )}
      {author && (
        <>
          <bdi>{author}</bdi>
          {t.colon}
        </>
      )}
      <bdi lang={langOf(line)}>{line}</bdi>
    </span>
  )
}

/** An avatar with a dot while the person is online. */
export function PresenceAvatar({ person }: { person: Person }) {
  const t = useText(chatText)
  const isHere = useHere().has(person.id)
  return (
    <span className="with-presence" data-here={isHere || undefined}>
      <Avatar person={person} />
      {isHere && <span className="hide">{t.hereNow}</span>}
    </span>
  )
}
