import type { Person } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { currentTime } from '#web/current-time.ts'
import * as dates from '#web/dates.ts'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { readLocal } from '#web/local-storage.ts'
import * as realtime from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Link } from '#web/ui/Link.tsx'
import { UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { kindOf } from '../attached-contract.ts'
import { draftKey } from './draft-key.ts'
import { MutedIcon, useIsMuted } from './Mute.tsx'
import type { ListedConversation } from './state.ts'
import * as chatState from './state.ts'
import { chatText } from './text.ts'

interface Props {
  conversation: ListedConversation
  me: number
  isCurrent: boolean
  /** Leaves out the last message and its time. A group then shows the number of members. */
  withoutMessage?: boolean
}

export function Row({ conversation, me, isCurrent, withoutMessage }: Props) {
  const t = useText(chatText)
  const { kind, id, name, person, picture } = conversation
  const unread = useStore(chatState.store, (state) => state.unread[kind][id] ?? 0)
  const isMuted = useIsMuted(conversation)
  const shown = withoutMessage ? { ...conversation, lastMessage: null, addedToGroup: null } : conversation
  const at = chatState.activityTime(conversation)
  return (
    <li>
      <Link
        className={unread && !isMuted ? 'row unread' : 'row'}
        href={kind === 'private' ? `/privatechat/${id}` : `/group-chat/${id}`}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {person ? (
          <PresenceAvatar person={person} />
        ) : (
          <Avatar person={{ id, name, profile_image: picture || null }} group />
        )}
        <span className="text">
          <span className="name-line">
            <UserText className="name">{name}</UserText>
            {person && <SharedHandle person={person} />}
            {conversation.hasEnded && <span className="chip">{t.hasEnded}</span>}
            <MutedIcon conversation={conversation} />
          </span>
          <LastMessageLine
            conversation={shown}
            me={me}
            draft={isCurrent ? null : readLocal(draftKey(me, conversation))}
          />
        </span>
        <span className="end">
          {!withoutMessage && at && <LastMessageTime at={at} />}
          <span data-muted={isMuted || undefined}>
            <UnreadBadge count={unread} />
          </span>
        </span>
      </Link>
    </li>
  )
}

/** The text changes at midnight, from the time of day to the weekday. */
function LastMessageTime({ at }: { at: string }) {
  const lang = useLang()
  const text = useStore(currentTime, () => dates.short(at, lang))
  return <time dateTime={at}>{text}</time>
}

interface LastMessageLineProps {
  conversation: ListedConversation
  me: number
  draft: string | null
}

/** The draft, the last message, who added the user to the group since then, or the number of members. */
function LastMessageLine({ conversation, me, draft }: LastMessageLineProps) {
  const t = useText(chatText)
  const { kind, lastMessage, addedToGroup, membersCount } = conversation
  if (
    !draft &&
    addedToGroup?.by &&
    addedToGroup.by.id !== me &&
    addedToGroup.at > (lastMessage?.created_at ?? '')
  )
    return <span className="line">{t.added(addedToGroup.by.name, [], true)}</span>
  if (!draft && !lastMessage)
    return kind === 'groups' && <span className="line">{t.members(membersCount)}</span>
  const text = draft || (lastMessage!.deleted_at ? t.deleted : lastMessage!.message)
  const note = lastMessage ? t[kindOf(lastMessage)] : ''
  const line = text.replace(/\s+/g, ' ') || note
  const author =
    draft || !lastMessage
      ? null
      : lastMessage.user_id === me
        ? t.you
        : kind === 'groups'
          ? lastMessage.name
          : null
  return (
    <span className={author ? 'line authored' : 'line'}>
      {draft && (
        <>
          <b>{t.draft}</b>
          {t.colon}
        </>
      )}
      {author && (
        <>
          <bdi className="author">{author}</bdi>
          <span className="colon">{t.colon}</span>
        </>
      )}
      <bdi className="preview" lang={detectLanguage(line)}>
        {line}
      </bdi>
    </span>
  )
}

export function PresenceAvatar({ person }: { person: Person }) {
  const t = useText(chatText)
  const isOnline = realtime.useOnline().has(person.id)
  return (
    <span className="with-presence" data-online={isOnline || undefined}>
      <Avatar person={person} />
      {isOnline && <span className="visually-hidden">{t.onlineNow}</span>}
    </span>
  )
}
