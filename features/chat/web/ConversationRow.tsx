import type { Person } from '#features/people/contract.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { currentTimeStore } from '#web/current-time.ts'
import { detectLanguageOfUserText, useLang, useText } from '#web/i18n.ts'
import { readLocalStorage } from '#web/local-storage.ts'
import { useOnlineMembersById } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Link } from '#web/ui/Link.tsx'
import { UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { MutedConversationIcon, useIsConversationMuted } from './ConversationMute.tsx'
import {
  type ChatPartnerOrGroupRef,
  chatStateStore,
  type ListedConversation,
  toConversationKey,
  toLastActivityTime,
} from './chat-state.ts'
import { formatTimeWeekdayOrDate } from './date-format.ts'
import { chatText } from './text.ts'

/** Returns the key in local storage under which the text of the unsent draft of a conversation is stored. */
export const toMessageDraftStorageKey = (me: number, conversation: ChatPartnerOrGroupRef) =>
  `engawa:talk:${me}:${toConversationKey(conversation)}`

interface ConversationRowProps {
  conversation: ListedConversation
  me: number
  isCurrent: boolean
  /**
   * Whether the row leaves out the last message and its time. The row of a group then shows the number of
   * members.
   */
  withoutMessage?: boolean
}

/** Renders the row of a conversation in a list of conversations. */
export function ConversationRow({ conversation, me, isCurrent, withoutMessage }: ConversationRowProps) {
  const { kind, id, name, person, picture } = conversation
  const unread = useStore(chatStateStore, (state) => state.unread[kind][id] ?? 0)
  const isMuted = useIsConversationMuted(conversation)
  const shown = withoutMessage ? { ...conversation, lastMessage: null, addedToGroup: null } : conversation
  const at = toLastActivityTime(conversation)
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
            {person && <HandleShownForLookalikeName person={person} />}
            <MutedConversationIcon conversation={conversation} />
          </span>
          <LastMessageLine
            conversation={shown}
            me={me}
            draft={isCurrent ? null : readLocalStorage(toMessageDraftStorageKey(me, conversation))}
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

/**
 * Renders when the last message was sent. The text changes at midnight, from the time of day to the weekday.
 */
function LastMessageTime({ at }: { at: string }) {
  const lang = useLang()
  const text = useStore(currentTimeStore, () => formatTimeWeekdayOrDate(at, lang))
  return <time dateTime={at}>{text}</time>
}

interface LastMessageLineProps {
  conversation: ListedConversation
  me: number
  draft: string | null
}

/**
 * Renders the second line of a conversation's row: the draft or the last message. If the user was added to a
 * group after its last message, the line says who added the user. If a group has no messages, the line shows
 * the number of members.
 */
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
  const note = lastMessage?.is_voice ? t.voice : lastMessage?.files_count ? t.file : t.picture
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
      <bdi lang={detectLanguageOfUserText(line)}>{line}</bdi>
    </span>
  )
}

/** Renders a person's avatar, with a dot while that person is online. */
export function PresenceAvatar({ person }: { person: Person }) {
  const t = useText(chatText)
  const isOnline = useOnlineMembersById().has(person.id)
  return (
    <span className="with-presence" data-online={isOnline || undefined}>
      <Avatar person={person} />
      {isOnline && <span className="visually-hidden">{t.onlineNow}</span>}
    </span>
  )
}
