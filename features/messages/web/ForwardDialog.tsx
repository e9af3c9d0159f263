import '#features/groups/web/group-dialog.css'
import './forward-dialog.css'
import { type FormEvent, useState } from 'react'
import type { ListedConversation } from '#features/conversations/web/state.ts'
import * as chatState from '#features/conversations/web/state.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { MAX_TARGETS } from '../contract.ts'
import type { ShownMessage } from './conversation.ts'
import { forwardText } from './menu-text.ts'
import { useForward, useForwardTargets } from './useForwardTargets.ts'

interface Props {
  message: ShownMessage
  onClose: () => void
}

export function ForwardDialog({ message, onClose }: Props) {
  const t = useText(forwardText)
  const explain = useErrorText()
  const [searchText, setSearchText] = useState('')
  const { targets, error } = useForwardTargets()
  const { choices, toggle, send, isSending } = useForward(message.id, (count) => {
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
          {choices.size ? t.chosen(choices.size, MAX_TARGETS) : t.help(MAX_TARGETS)}
        </p>
        {error !== null && <Notice kind="error">{explain(error)}</Notice>}
        {!targets && !error && <RowSkeletons count={4} />}
        {targets && (
          <ul className="rows" aria-label={t.chats}>
            {found.map((target) => {
              const choice = choices.get(chatState.keyOf(target))
              return (
                <TargetRow
                  key={chatState.keyOf(target)}
                  target={target}
                  isChosen={choice !== undefined}
                  // A chat that has the message already cannot be deselected.
                  isDisabled={
                    isSending || choice?.isSent || (!choice && choices.size >= MAX_TARGETS) || false
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

/** Ignores case, and whether characters are full-width or half-width. */
const contains = (name: string, text: string) => normalize(name).includes(normalize(text.trim()))
const normalize = (text: string) => text.normalize('NFKC').toLowerCase()

interface TargetRowProps {
  target: ListedConversation
  isChosen: boolean
  isDisabled: boolean
  /** Says whether the message was sent to this chat; null before. */
  note: string | null
  onToggle: () => void
}

function TargetRow({ target, isChosen, isDisabled, note, onToggle }: TargetRowProps) {
  const t = useText(forwardText)
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
            {person && <SharedHandle person={person} />}
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
