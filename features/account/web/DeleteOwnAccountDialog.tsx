import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import {
  type AccountDeletionRequest,
  accountDeletionEndpoints,
  type KeepOrDeleteMessages,
  type MemberContentCounts,
} from '../deletion-contract.ts'
import { accountDeletionText } from './deletion-text.ts'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

interface DeletionContentProps {
  content: MemberContentCounts
  messages: KeepOrDeleteMessages
}

/**
 * Renders a list of what the deletion of the account deletes and what stays. Leaves out the kinds of content
 * that the member does not have.
 */
export function AccountDeletionSummary({ content, messages }: DeletionContentProps) {
  const t = useText(accountDeletionText)
  const { posts, pictures, replies, groups, private_messages, group_messages } = content
  const ownMessages = [
    private_messages > 0 && t.content.privateMessages(private_messages),
    group_messages > 0 && t.content.groupMessages(group_messages),
  ].filter((line) => line !== false)
  const goes = [
    t.content.profile,
    posts > 0 && t.content.posts(posts),
    pictures > 0 && t.content.pictures(pictures),
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
  onRequested: (deletion: AccountDeletionRequest) => void
  onClose: () => void
}

/**
 * Renders the dialog that requests the deletion of the member's own account. The dialog lists again what is
 * deleted and what stays, and the member has to type their handle.
 */
export function DeleteOwnAccountDialog({ me, onRequested, onClose, ...content }: DeleteAccountDialogProps) {
  const t = useText(accountDeletionText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const [isWrong, setWrong] = useState(false)
  const handle = `@${me.handle}`
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      run(() => callEndpoint(accountDeletionEndpoints.request, { messages: content.messages })),
    onSuccess: (deletion) => {
      onRequested(deletion)
      onClose()
    },
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = String(new FormData(event.currentTarget).get('handle')).trim().replace(/^@/, '')
    const isRight = given.toLowerCase() === me.handle
    setWrong(!isRight)
    if (!isRight) focusFirstMatchOnceRendered('[aria-invalid="true"]')
    if (isRight && !isPending) mutate()
  }
  return (
    <Dialog open title={t.dialogTitle} onClose={onClose} className="confirm">
      <form noValidate onSubmit={submit}>
        <AccountDeletionSummary {...content} />
        <Field
          label={t.handle(handle)}
          name="handle"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={isWrong && t.wrongHandle(handle)}
        />
        {error && !(error instanceof ActionCancelledError) && (
          <Notice kind="error">{formatError(error)}</Notice>
        )}
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
