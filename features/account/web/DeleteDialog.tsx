import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import {
  type AccountDeletion,
  type ContentCounts,
  deletionEndpoints,
  type MessagesChoice,
} from '../contract.ts'
import { deletionText } from './deletion-text.ts'
import { useConfirmation } from './useConfirmation.tsx'

interface DeletionContentProps {
  content: ContentCounts
  messages: MessagesChoice
}

/** Leaves out the kinds of content that the member does not have. */
export function DeletionSummary({ content, messages }: DeletionContentProps) {
  const t = useText(deletionText)
  const { posts, pictures, album_pictures, replies, groups, private_messages, group_messages } = content
  const ownMessages = [
    private_messages > 0 && t.content.privateMessages(private_messages),
    group_messages > 0 && t.content.groupMessages(group_messages),
  ].filter((line) => line !== false)
  const goes = [
    t.content.profile,
    posts > 0 && t.content.posts(posts),
    pictures > 0 && t.content.pictures(pictures),
    album_pictures > 0 && t.content.albumPictures(album_pictures),
    replies > 0 && t.content.replies(replies),
    t.content.relations,
    groups > 0 && t.content.groups(groups),
    ...(messages === 'delete' ? ownMessages : []),
  ].filter((line) => line !== false)
  const stays = messages === 'keep' ? ownMessages : []
  return (
    <div className="deletion-content">
      <p>
        <b>{t.goes}</b>
      </p>
      <ul>
        {goes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        <b>{stays.length ? t.stays : t.staysNothing}</b>
      </p>
      <ul>
        {stays.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="text-soft">{t.backups}</p>
    </div>
  )
}

interface DeleteAccountDialogProps extends DeletionContentProps {
  me: Me
  onRequested: (deletion: AccountDeletion) => void
  onClose: () => void
}

/** The member has to type their handle. */
export function DeleteDialog({ me, onRequested, onClose, ...content }: DeleteAccountDialogProps) {
  const t = useText(deletionText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const [isWrong, setWrong] = useState(false)
  const handle = `@${me.handle}`
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(deletionEndpoints.request, { messages: content.messages })),
    onSuccess: (deletion) => {
      onRequested(deletion)
      onClose()
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = String(new FormData(event.currentTarget).get('handle')).trim().replace(/^@/, '')
    const isRight = given.toLowerCase() === me.handle
    setWrong(!isRight)
    if (!isRight) focusFirst('[aria-invalid="true"]')
    if (isRight && !isPending) mutate()
  }
  return (
    <Dialog open title={t.dialogTitle} onClose={onClose} className="confirm">
      <form noValidate onSubmit={submit}>
        <DeletionSummary {...content} />
        <Field
          label={t.handle(handle)}
          name="handle"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={isWrong && t.wrongHandle(handle)}
        />
        {error && !(error instanceof CancelledError) && <Notice kind="error">{formatError(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="danger-filled" type="submit" pending={isPending}>
            {t.confirm}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}
