import './reactions.css'
import { SmilePlus, UsersRound } from 'lucide-react'
import { type MouseEvent, Suspense, useState } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { EmojiCount } from '../contract.ts'
import { EmojiButtons } from './EmojiButtons.tsx'
import { openReactors } from './open-list.ts'
import { reactionsText } from './text.ts'
import { useEmojiChoices, useReactions, useToggle } from './useReactions.ts'

const ReactorsDialog = lazyWithRetry(() => import('./ReactorsDialog.tsx'))

/** For messages, the menu has the buttons to react and to list the people who react. */
export default function ContentFooter({ content }: { content: ContentInfo }) {
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

interface Props {
  content: ContentInfo
  rows: readonly EmojiCount[]
}

function ReactionPicker({ content, rows }: Props) {
  const t = useText(reactionsText)
  if (!useEmojiChoices(rows).length) return null
  return (
    <Menu
      label={t.react}
      align="start"
      focusesFirstItem
      renderButton={(props) => (
        <Button {...props} kind="ghost" iconOnly className="add-reaction" icon={SmilePlus} label={t.react} />
      )}
    >
      <EmojiButtons content={content} rows={rows} />
    </Menu>
  )
}

function ReactionChips({ content, rows, isMember }: Props & { isMember: boolean }) {
  const t = useText(reactionsText)
  const selectable = useEmojiChoices(rows)
  const [isListOpen, setIsListOpen] = useState(false)
  const isMessage = content.kind === 'message'
  const isListOfMessageOpen = useStore(openReactors, (id) => isMessage && id === content.id)
  const closeList = () => {
    setIsListOpen(false)
    openReactors.set(null)
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

const EmojiAndCount = ({ emoji, count }: EmojiCount) => (
  <>
    <span aria-hidden="true">{emoji}</span>
    <span className="count" aria-hidden="true">
      {count}
    </span>
  </>
)

/** The pressed button disappears with the last reaction with this emoji. */
function keepFocusNear({ currentTarget: chip }: MouseEvent<HTMLElement>) {
  const place = chip.closest('article, .message')
  requestAnimationFrame(() => {
    if (chip.isConnected || document.activeElement !== document.body) return
    place?.querySelector<HTMLElement>('.add-reaction, .actions > button')?.focus({ preventScroll: true })
  })
}

function ReactionChip({ content, reaction }: { content: ContentInfo; reaction: EmojiCount }) {
  const t = useText(reactionsText)
  const toggle = useToggle(content)
  const { emoji, count, mine } = reaction
  return (
    <button
      type="button"
      className="reaction"
      aria-pressed={mine}
      aria-label={t.reaction(emoji, count, mine)}
      // In a chat, Tab would stop at the reactions of each message. The arrow keys lead from the menu button
      // of the message to this button (features/messages/web/keyboard.ts).
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
