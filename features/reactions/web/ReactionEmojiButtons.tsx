import type { KeyboardEvent } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import type { EmojiReactionCountWithMine } from '../contract.ts'
import { useSelectableReactionEmoji, useToggleReaction } from './useReactions.ts'

/**
 * Moves the focus to the button of the next emoji for the right arrow key, and to that of the previous emoji
 * for the left arrow key.
 */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const buttons = [...event.currentTarget.parentElement!.querySelectorAll('button')]
  const at = buttons.indexOf(event.currentTarget as HTMLButtonElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}

/** Renders a button for each emoji that the member can add or remove. A menu contains the buttons. */
export function ReactionEmojiButtons({
  content,
  rows,
}: {
  content: PostReplyOrMessageInfo
  rows: readonly EmojiReactionCountWithMine[]
}) {
  const selectable = useSelectableReactionEmoji(rows)
  const toggle = useToggleReaction(content)
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
