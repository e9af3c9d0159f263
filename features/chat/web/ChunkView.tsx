import { memo } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { daysAgo, longDay } from './dates.ts'
import { type GroupViewProps, MessageGroup } from './MessageGroup.tsx'
import {
  areSameChunk,
  type ChunkItem,
  type MessageChunk,
  type MessageGroupItem,
  toItems,
} from './message-chunks.ts'
import { chatText } from './text.ts'
import { useStableKeys } from './useStableKeys.ts'

interface ChunkProps extends GroupViewProps {
  chunk: MessageChunk
  me: Me
}

/** A part of the message list. The browser lays it out when it comes near the visible area. */
export const ChunkView = memo(function ChunkView({ chunk, me, ...rest }: ChunkProps) {
  const keyOf = useStableKeys()
  return (
    <div className="piece" style={{ containIntrinsicBlockSize: `auto ${estimatedHeight(chunk)}px` }}>
      {toItems(chunk, me).map((item) => (
        <ItemView key={item.kind === 'group' ? keyOf(namesOf(item)) : item.key} item={item} {...rest} />
      ))}
    </div>
  )
}, isSame)

function isSame({ chunk, ...rest }: ChunkProps, { chunk: next, ...nextRest }: ChunkProps) {
  const names = Object.keys(rest) as (keyof typeof rest)[]
  return areSameChunk(chunk, next) && names.every((name) => rest[name] === nextRest[name])
}

/**
 * Pixels that a message and a picture take, roughly: the browser reserves them until it lays the chunk out.
 */
const MESSAGE_HEIGHT = 44
const PICTURE_HEIGHT = 210
const estimatedHeight = ({ messages }: MessageChunk) =>
  messages.reduce((sum, { images }) => sum + (images.length ? PICTURE_HEIGHT : MESSAGE_HEIGHT), 0)

/**
 * Names for messages that stay the same when the server has given them an id. Only their author's client
 * made them unique.
 */
const namesOf = ({ author, messages, outgoing }: MessageGroupItem) =>
  [
    ...messages.map(({ client_id, id }) => client_id ?? id),
    ...outgoing.map(({ client_id }) => client_id),
  ].map((name) => `${author.id} ${name}`)

function ItemView({ item, ...rest }: { item: ChunkItem } & GroupViewProps) {
  const t = useText(chatText)
  const lang = useLang()
  if (item.kind === 'group') return <MessageGroup group={item} {...rest} />
  if (item.kind === 'change') {
    const { kind, actor, person, name } = item.change
    return (
      <p className="system" dir="auto">
        {t.change[kind](actor?.name ?? t.somebody, person?.name ?? t.somebody, name ?? '')}
      </p>
    )
  }
  if (item.kind === 'unread')
    return (
      <div className="unread-line" data-unread="">
        {t.unread}
      </div>
    )
  const days = daysAgo(item.at)
  return <h2 className="day">{days < 1 ? t.today : days < 2 ? t.yesterday : longDay(item.at, lang)}</h2>
}
