import { memo, useRef, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { currentTimeStore } from '#web/current-time.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { toRowAttributes, useFarRowHeight } from '#web/useFarRowHeight.ts'
import { countCalendarDaysSince, formatWeekdayAndDate } from './date-format.ts'
import { formatGroupChangeSentence } from './describe-changes.ts'
import { MessageGroup, type MessageGroupPropsWithoutMessages } from './MessageGroup.tsx'
import {
  areMessageListChunksEqual,
  type ConsecutiveMessagesItem,
  type MessageListChunk,
  type MessageListItem,
  toMessageListItemsOfChunk,
} from './message-chunks.ts'
import { chatText } from './text.ts'

type ItemProps = Omit<MessageGroupPropsWithoutMessages, 'isFar'>

interface ChunkProps extends ItemProps {
  chunk: MessageListChunk
  /** The id of the first message to render; 0 if all messages of the chunk are rendered. */
  firstId: number
  /** Whether the list will scroll to a message of this chunk. */
  hasTarget: boolean
  /** Whether screen readers announce what is added to the chunk: true for the newest two only. */
  isAnnounced: boolean
  me: Me
}

/**
 * Renders a chunk: some dozens of messages, which the browser lays out only near the visible area. Far from it,
 * the chunk has only the texts of the messages, and keeps its height.
 */
export const MessageChunkView = memo(function MessageChunkView({
  chunk,
  firstId,
  hasTarget,
  isAnnounced,
  me,
  ...rest
}: ChunkProps) {
  const keyOf = useStableKeys()
  const ref = useRef<HTMLDivElement>(null)
  const [farHeight, setFarHeight] = useFarRowHeight(ref, '.message-list')
  if (hasTarget && farHeight !== null) setFarHeight(null)
  return (
    <div
      className="message-chunk"
      aria-live={isAnnounced ? undefined : 'off'}
      ref={ref}
      {...toRowAttributes(farHeight, { containIntrinsicBlockSize: `auto ${estimatedHeight(chunk)}px` })}
    >
      {withoutItemsBefore(toMessageListItemsOfChunk(chunk, me), firstId).map((item) => (
        <MessageListItemView
          key={item.kind === 'group' ? keyOf(stableKeysOf(item)) : item.key}
          item={item}
          me={me}
          isFar={farHeight !== null}
          {...rest}
        />
      ))}
    </div>
  )
}, isSame)

/**
 * Returns the items from the message `id` on, with the mark of unread messages before it. A group that begins
 * earlier is cut.
 */
function withoutItemsBefore(items: readonly MessageListItem[], id: number): readonly MessageListItem[] {
  const first = items.findIndex((item) => item.kind === 'group' && (item.messages.at(-1)?.id ?? id) >= id)
  const group = items[first]
  if (id === 0 || group?.kind !== 'group') return items
  const messages = group.messages.filter((message) => message.id >= id)
  if (messages.length < group.messages.length)
    return [{ ...group, messages, continuesPrevious: true }, ...items.slice(first + 1)]
  return items.slice(items[first - 1]?.kind === 'unread' ? first - 1 : first)
}

function isSame({ chunk, ...rest }: ChunkProps, { chunk: next, ...nextRest }: ChunkProps) {
  const names = Object.keys(rest) as (keyof typeof rest)[]
  return areMessageListChunksEqual(chunk, next) && names.every((name) => rest[name] === nextRest[name])
}

/**
 * Estimated heights in pixels of a message without and with a picture. The browser reserves this space in the
 * list until it lays the chunk out.
 */
const MESSAGE_HEIGHT = 44
const PICTURE_HEIGHT = 210
const estimatedHeight = ({ messages }: MessageListChunk) =>
  messages.reduce((sum, { images }) => sum + (images.length ? PICTURE_HEIGHT : MESSAGE_HEIGHT), 0)

/**
 * Returns the React keys of the messages of a message group. The key of a message stays the same when the
 * server assigns an id to it. Client ids are unique only among the messages of one author, so the author is
 * part of the key.
 */
const stableKeysOf = ({ author, messages, outgoing }: ConsecutiveMessagesItem) =>
  [
    ...messages.map(({ client_id, id }) => client_id ?? id),
    ...outgoing.map(({ client_id }) => client_id),
  ].map((name) => `${author.id} ${name}`)

function MessageListItemView({
  item,
  me,
  ...rest
}: { item: MessageListItem; me: Me } & MessageGroupPropsWithoutMessages) {
  const t = useText(chatText)
  if (item.kind === 'group') return <MessageGroup group={item} {...rest} />
  if (item.kind === 'change')
    return (
      <p className="system-message" dir="auto">
        {formatGroupChangeSentence(item.changes, me, t)}
      </p>
    )
  if (item.kind === 'unread')
    return (
      <div className="divider unread-divider" data-unread="">
        {t.unread}
      </div>
    )
  return <DayDivider at={item.at} />
}

/** Renders the heading above the messages of a day. It changes at midnight, for example to “Yesterday”. */
function DayDivider({ at }: { at: string }) {
  const t = useText(chatText)
  const lang = useLang()
  const days = useStore(currentTimeStore, () => countCalendarDaysSince(at))
  return (
    <h2 className="day-divider">
      {days < 1 ? t.today : days < 2 ? t.yesterday : formatWeekdayAndDate(at, lang)}
    </h2>
  )
}

/** Returns whether the message with this id is in the chunk. */
export const containsMessage = ({ messages }: MessageListChunk, id: number) =>
  id >= (messages[0]?.id ?? 1) && id <= (messages.at(-1)?.id ?? 0)

type Key = string | number

/**
 * Returns a function that chooses the React key of a chunk, or of a message group. A chunk or group keeps its
 * key as long as it contains one of its earlier messages, although messages are added at both ends.
 */
export function useStableKeys() {
  const [keys] = useState(() => new Map<Key, Key>())
  const used = new Set<Key>()
  return (contents: readonly Key[]) => {
    const isFree = (key: Key | undefined) => key !== undefined && !used.has(key)
    // If a chunk or message group was split into two, its first part keeps the old key.
    const key = contents.map((one) => keys.get(one)).find(isFree) ?? contents.find(isFree) ?? 0
    for (const one of contents) keys.set(one, key)
    used.add(key)
    return key
  }
}
