import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import {
  type AccountDeletionRequest,
  accountDeletionEndpoints,
  type KeepOrDeleteMessages,
} from '../deletion-contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'
import { AccountDeletionSummary, DeleteOwnAccountDialog } from './DeleteOwnAccountDialog.tsx'
import { accountDeletionText } from './deletion-text.ts'
import { KeepOrDeleteMessagesField } from './KeepOrDeleteMessagesField.tsx'
import { createAccountSectionQueryOptions } from './section-query.ts'
import { useLongDateFormatter } from './useLongDateFormatter.ts'

const useDeletionState = () => useQuery(createAccountSectionQueryOptions(accountDeletionEndpoints.state))

/** The HTML id of the section that deletes the account, to which the notice at the top of the page links. */
const SECTION_ID = 'deletion'

/**
 * Renders a notice at the top of the account page that says when the account will be deleted. Renders nothing
 * if no deletion is requested.
 */
export function AccountDeletionNotice() {
  const t = useText(accountDeletionText)
  const formatDay = useLongDateFormatter()
  const deletion = useDeletionState().data?.deletion
  if (!deletion) return null
  return (
    <Notice kind="warning">
      {t.requested(formatDay(deletion.due_at))}{' '}
      {!deletion.by_admin && (
        <a className="link" href={`#${SECTION_ID}`}>
          {t.toSection}
        </a>
      )}
    </Notice>
  )
}

/**
 * Renders the section of the account page that says what the deletion of the account deletes, and with which
 * the member requests or cancels the deletion.
 */
export function AccountDeletionSection({ me }: { me: Me }) {
  const t = useText(accountDeletionText)
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useDeletionState()
  const [messages, setMessages] = useState<KeepOrDeleteMessages>('keep')
  const [isAsking, setAsking] = useState(false)
  const setDeletion = (deletion: AccountDeletionRequest | null) => {
    client.setQueryData([accountDeletionEndpoints.state.path], data && { ...data, deletion })
    void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
  }
  return (
    <AccountPageSectionCard id={SECTION_ID} title={t.title} help={t.help}>
      {!data && !error && <LoadingText />}
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {data?.deletion && <PendingDeletion deletion={data.deletion} onKept={() => setDeletion(null)} />}
      {data && !data.deletion && (
        <>
          <AccountDeletionSummary content={data.content} messages={messages} />
          <KeepOrDeleteMessagesField value={messages} onChange={setMessages} />
          <div className="form-actions">
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t.open}
            </Button>
          </div>
        </>
      )}
      {isAsking && data && (
        <DeleteOwnAccountDialog
          me={me}
          content={data.content}
          messages={messages}
          onRequested={setDeletion}
          onClose={() => setAsking(false)}
        />
      )}
    </AccountPageSectionCard>
  )
}

interface PendingDeletionProps {
  deletion: AccountDeletionRequest
  onKept: () => void
}

/**
 * Renders a notice that says when the account will be deleted, and a button that cancels the deletion. If an
 * admin requested the deletion, there is no button.
 */
function PendingDeletion({ deletion: { due_at, by_admin }, onKept }: PendingDeletionProps) {
  const t = useText(accountDeletionText)
  const formatError = useErrorFormatter()
  const formatDay = useLongDateFormatter()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callEndpoint(accountDeletionEndpoints.keep, {}),
    onSuccess: () => {
      onKept()
      showToast(t.kept, { key: 'deletion' })
    },
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      else showToast(formatError(failure), { key: 'deletion', kind: 'error' })
    },
  })
  return (
    <>
      <Notice kind="warning">{(by_admin ? t.pendingByAdmin : t.pending)(formatDay(due_at))}</Notice>
      {!by_admin && (
        <div className="form-actions">
          <Button kind="primary" pending={isPending} onClick={() => mutate()}>
            {t.keep}
          </Button>
        </div>
      )}
    </>
  )
}
