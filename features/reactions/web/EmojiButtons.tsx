import type { KeyboardEvent } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { pressed } from '#web/keyboard.ts'
import type { EmojiCount } from '../contract.ts'
import { useEmojiChoices, useToggle } from './useReactions.ts'

/** For the arrow keys right and left. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[pressed(event)]
  if (!step) return
  event.preventDefault()
  const buttons = [...event.currentTarget.parentElement!.querySelectorAll('button')]
  const at = buttons.indexOf(event.currentTarget as HTMLButtonElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}

/** A menu contains the buttons. */
export function EmojiButtons({ content, rows }: { content: ContentInfo; rows: readonly EmojiCount[] }) {
  const selectable = useEmojiChoices(rows)
  const toggle = useToggle(content)
  return (
    <div className="emoji-buttons">
      {selectable.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={rows.some((row) => row.emoji === emoji && row.mine)}
          onKeyDown={moveFocus}
          onClick={() => toggle(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}
