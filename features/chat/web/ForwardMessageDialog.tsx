import './forward-dialog.css'
import { type FormEvent, useState } from 'react'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { MAX_MESSAGE_FORWARD_TARGETS } from '../message-forward-contract.ts'
import { type ListedConversation, toConversationKey } from './chat-state.ts'
import type { ShownMessage } from './conversation.ts'
import { forwardMessageText } from './forward-text.ts'
import {
  useChosenMessageForwardTargetsAndSend,
  useMessageForwardTargets,
} from './useMessageForwardTargets.ts'

interface ForwardDialogProps {
  message: ShownMessage
  onClose: () => void
}

/** Renders the dialog in which a member chooses the chats to which a message is forwarded. */
export function ForwardMessageDialog({ message, onClose }: ForwardDialogProps) {
  const t = useText(forwardMessageText)
  const explain = useErrorFormatter()
  const [searchText, setSearchText] = useState('')
  const { targets, error } = useMessageForwardTargets()
  const { choices, toggle, send, isSending } = useChosenMessageForwardTargetsAndSend(message.id, (count) => {
    onClose()
    showToast(t.done(count))
  })
  const found = targets?.filter(({ name }) => contains(name, searchText)) ?? []
  const failed = [...choices.values()].filter((choice) => choice.error !== undefined)
  const hasSent = [...choices.values()].some(({ isSent }) => isSent)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (choices.size && !isSending) void send()
  }
  return (
    <Dialog open title={t.title} onClose={onClose} className="group-dialog forward-dialog">
      <form onSubmit={submit}>
        <SearchBox label={t.search} text={searchText} onText={setSearchText} />
        <p className="text-meta" role="status">
          {choices.size
            ? t.chosen(choices.size, MAX_MESSAGE_FORWARD_TARGETS)
            : t.help(MAX_MESSAGE_FORWARD_TARGETS)}
        </p>
        {error !== null && <Notice kind="error">{explain(error)}</Notice>}
        {!targets && !error && <RowListSkeleton count={4} />}
        {targets && (
          <ul className="rows" aria-label={t.chats}>
            {found.map((target) => {
              const choice = choices.get(toConversationKey(target))
              return (
                <TargetRow
                  key={toConversationKey(target)}
                  target={target}
                  isChosen={choice !== undefined}
                  // Disables a chat to which the message was already sent, so that the user cannot deselect
                  // it.
                  isDisabled={
                    isSending ||
                    choice?.isSent ||
                    (!choice && choices.size >= MAX_MESSAGE_FORWARD_TARGETS) ||
                    false
                  }
                  note={choice?.isSent ? t.sent : choice?.error !== undefined ? explain(choice.error) : null}
                  onToggle={() => toggle(target)}
                />
              )
            })}
          </ul>
        )}
        {targets && !found.length && <p className="text-meta">{t.nobodyFound}</p>}
        {failed.length > 0 && !isSending && <Notice kind="error">{t.notSent(failed.length)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{hasSent ? t.close : t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isSending} disabled={!choices.size}>
            {failed.length > 0 ? t.retry : t.forward}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * Returns whether a name contains the search text. Ignores the difference between upper and lower case, and
 * between full-width and half-width characters.
 */
const contains = (name: string, text: string) => normalize(name).includes(normalize(text.trim()))
const normalize = (text: string) => text.normalize('NFKC').toLowerCase()

interface TargetRowProps {
  target: ListedConversation
  isChosen: boolean
  isDisabled: boolean
  /** The text that says whether the message was sent to this chat; null before the message is sent. */
  note: string | null
  onToggle: () => void
}

function TargetRow({ target, isChosen, isDisabled, note, onToggle }: TargetRowProps) {
  const t = useText(forwardMessageText)
  const { id, name, person, picture } = target
  return (
    <li>
      <label className="row">
        <Avatar
          person={person ?? { id, name, profile_image: picture || null }}
          size="s"
          {...(!person && { group: true })}
        />
        <span className="text">
          <span className="name-line">
            <UserText className="name">{name}</UserText>
            {person && <HandleShownForLookalikeName person={person} />}
          </span>
          {(note || !person) && <span className="line">{note ?? t.group}</span>}
        </span>
        <span className="check">
          <input type="checkbox" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
        </span>
      </label>
    </li>
  )
}
