import { memo, useRef, useState } from 'react'
import { describeChanges } from '#features/conversations/web/describe-changes.ts'
import { chatText } from '#features/conversations/web/text.ts'
import type { Me } from '#features/people/contract.ts'
import { currentTime } from '#web/current-time.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { rowAttributes, useFarRowHeight } from '#web/useFarRowHeight.ts'
import {
  isSameChunk,
  listItems,
  type MessageChunk,
  type MessageGroupItem,
  type MessageListItem,
} from './chunks.ts'
import { MessageGroup, type MessageProps } from './MessageGroup.tsx'
import { messageText } from './text.ts'

type ItemProps = Omit<MessageProps, 'isFar'>

interface ChunkProps extends ItemProps {
  chunk: MessageChunk
  /** The first message to render; 0 for all messages of the chunk. */
  firstId: number
  /** The list will scroll to a message of this chunk. */
  hasTarget: boolean
  /** Screen readers announce what is added: true for the newest two chunks only. */
  isAnnounced: boolean
  me: Me
}

/** The browser lays a chunk out only near the visible area; elsewhere it has only texts and its height. */
export const ChunkView = memo(function ChunkView({
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
      {...rowAttributes(farHeight, { containIntrinsicBlockSize: `auto ${estimatedHeight(chunk)}px` })}
    >
      {withoutItemsBefore(listItems(chunk, me), firstId).map((item) => (
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
 * Begins at the message `id`, with the mark of unread messages before it. Cuts a group that begins before.
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
  return isSameChunk(chunk, next) && names.every((name) => rest[name] === nextRest[name])
}

/** Estimated heights in pixels, which the browser reserves until it lays the chunk out. */
const MESSAGE_HEIGHT = 44
const PICTURE_HEIGHT = 210
const estimatedHeight = ({ messages }: MessageChunk) =>
  messages.reduce((sum, { images }) => sum + (images.length ? PICTURE_HEIGHT : MESSAGE_HEIGHT), 0)

/** The key stays when the server assigns an id. Client ids are unique only among one author's messages. */
const stableKeysOf = ({ author, messages, outgoing }: MessageGroupItem) =>
  [
    ...messages.map(({ client_id, id }) => client_id ?? id),
    ...outgoing.map(({ client_id }) => client_id),
  ].map((name) => `${author.id} ${name}`)

function MessageListItemView({ item, me, ...rest }: { item: MessageListItem; me: Me } & MessageProps) {
  const t = useText(messageText)
  const chat = useText(chatText)
  if (item.kind === 'group') return <MessageGroup group={item} {...rest} />
  if (item.kind === 'change')
    return (
      <p className="system-message" dir="auto">
        {describeChanges(item.changes, me, chat)}
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

/** Changes at midnight, for example to “Yesterday”. */
function DayDivider({ at }: { at: string }) {
  const t = useText(messageText)
  const lang = useLang()
  const days = useStore(currentTime, () => dates.daysSince(at))
  return (
    <h2 className="day-divider">{days < 1 ? t.today : days < 2 ? t.yesterday : dates.weekday(at, lang)}</h2>
  )
}

export const containsMessage = ({ messages }: MessageChunk, id: number) =>
  id >= (messages[0]?.id ?? 1) && id <= (messages.at(-1)?.id ?? 0)

type Key = string | number

/**
 * A chunk or message group keeps its key as long as it contains one of its earlier messages, although
 * messages are added at both ends.
 */
export function useStableKeys() {
  const [keys] = useState(() => new Map<Key, Key>())
  const used = new Set<Key>()
  return (contents: readonly Key[]) => {
    const isFree = (key: Key | undefined) => key !== undefined && !used.has(key)
    // If one was split into two, its first part keeps the old key.
    const key = contents.map((one) => keys.get(one)).find(isFree) ?? contents.find(isFree) ?? 0
    for (const one of contents) keys.set(one, key)
    used.add(key)
    return key
  }
}
