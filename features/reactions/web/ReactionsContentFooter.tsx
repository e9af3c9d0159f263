import './reactions.css'
import { SmilePlus, UsersRound } from 'lucide-react'
import { type MouseEvent, Suspense, useState } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { EmojiReactionCountWithMine } from '../contract.ts'
import { messageIdWithOpenReactorsStore } from './open-list.ts'
import { ReactionEmojiButtons } from './ReactionEmojiButtons.tsx'
import { reactionsText } from './text.ts'
import { useReactions, useSelectableReactionEmoji, useToggleReaction } from './useReactions.ts'

const ReactorsDialog = lazyWithRetry(() => import('./ReactorsDialog.tsx'))

/**
 * Renders the reactions to a post, reply or message. For posts and replies, also renders the button that adds
 * a reaction and the button that opens the list of the people who react. For messages, both are in the
 * menu of the message.
 */
export default function ReactionsContentFooter({ content }: { content: PostReplyOrMessageInfo }) {
  const rows = useReactions(content)
  const isMember = useMe() !== null
  const hasButtons = isMember && content.kind !== 'message'
  return (
    <>
      {hasButtons && <ReactionPicker content={content} rows={rows} />}
      {rows.length > 0 && <ReactionChips content={content} rows={rows} isMember={isMember} />}
    </>
  )
}

interface ReactionsProps {
  content: PostReplyOrMessageInfo
  rows: readonly EmojiReactionCountWithMine[]
}

/** Renders the button that opens a menu with the emoji with which the member can react. */
function ReactionPicker({ content, rows }: ReactionsProps) {
  const t = useText(reactionsText)
  if (!useSelectableReactionEmoji(rows).length) return null
  return (
    <Menu
      label={t.react}
      align="start"
      focusesFirstItem
      renderButton={(props) => (
        <Button {...props} kind="ghost" iconOnly className="add-reaction" icon={SmilePlus} label={t.react} />
      )}
    >
      <ReactionEmojiButtons content={content} rows={rows} />
    </Menu>
  )
}

function ReactionChips({ content, rows, isMember }: ReactionsProps & { isMember: boolean }) {
  const t = useText(reactionsText)
  const selectable = useSelectableReactionEmoji(rows)
  const [isListOpen, setIsListOpen] = useState(false)
  const isMessage = content.kind === 'message'
  const isListOfMessageOpen = useStore(messageIdWithOpenReactorsStore, (id) => isMessage && id === content.id)
  const closeList = () => {
    setIsListOpen(false)
    messageIdWithOpenReactorsStore.set(null)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <span className="reactions" role="group" aria-label={t.reactions}>
      {rows.map((row) =>
        isMember && selectable.includes(row.emoji) ? (
          <ReactionChip key={row.emoji} content={content} reaction={row} />
        ) : (
          <span key={row.emoji} className="reaction">
            <EmojiAndCount {...row} />
            <span className="visually-hidden">{t.reaction(row.emoji, row.count, false)}</span>
          </span>
        ),
      )}
      {isMember && !isMessage && (
        <button
          type="button"
          className="who-reacted"
          aria-haspopup="dialog"
          aria-label={t.whoReacted}
          title={t.whoReacted}
          onClick={() => setIsListOpen(true)}
        >
          <Icon icon={UsersRound} size="s" />
        </button>
      )}
      {(isListOpen || isListOfMessageOpen) && (
        <Suspense>
          <ReactorsDialog content={content} rows={rows} onClose={closeList} />
        </Suspense>
      )}
    </span>
  )
}

const EmojiAndCount = ({ emoji, count }: EmojiReactionCountWithMine) => (
  <>
    <span aria-hidden="true">{emoji}</span>
    <span className="count" aria-hidden="true">
      {count}
    </span>
  </>
)

/**
 * Moves the focus to the nearest button if the pressed emoji button had the focus and has disappeared,
 * because the last reaction with this emoji was removed.
 */
function keepFocusNear({ currentTarget: chip }: MouseEvent<HTMLElement>) {
  const place = chip.closest('article, .message')
  requestAnimationFrame(() => {
    if (chip.isConnected || document.activeElement !== document.body) return
    place?.querySelector<HTMLElement>('.add-reaction, .actions > button')?.focus({ preventScroll: true })
  })
}

function ReactionChip({
  content,
  reaction,
}: {
  content: PostReplyOrMessageInfo
  reaction: EmojiReactionCountWithMine
}) {
  const t = useText(reactionsText)
  const toggle = useToggleReaction(content)
  const { emoji, count, mine } = reaction
  return (
    <button
      type="button"
      className="reaction"
      aria-pressed={mine}
      aria-label={t.reaction(emoji, count, mine)}
      // In a chat, the Tab key skips this button, because otherwise the key would stop at the reactions of
      // each message. The arrow keys move the focus from the menu button of the message to this button
      // (features/chat/web/message-keyboard.ts).
      tabIndex={content.kind === 'message' ? -1 : undefined}
      onClick={(event) => {
        keepFocusNear(event)
        toggle(emoji)
      }}
    >
      <EmojiAndCount {...reaction} />
    </button>
  )
}
