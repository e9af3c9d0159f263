import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import {
  type AccountDeletion,
  accountEndpoints,
  deletionEndpoints,
  type MessagesChoice,
} from '../contract.ts'
import { DeleteDialog, DeletionSummary } from './DeleteDialog.tsx'
import { deletionText } from './deletion-text.ts'
import { MessagesField } from './MessagesField.tsx'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'
import { sectionQuery } from './section-query.ts'

const useDeletionState = () => useQuery(sectionQuery(deletionEndpoints.state))

/** The notice at the top of the page links to it. */
const SECTION_ID = 'deletion'

/** Nothing if no deletion is requested. */
export function DeletionNotice() {
  const t = useText(deletionText)
  const lang = useLang()
  const deletion = useDeletionState().data?.deletion
  if (!deletion) return null
  return (
    <Notice kind="warning">
      {t.requested(dates.long(deletion.due_at, lang))}{' '}
      {!deletion.by_admin && (
        <a className="link" href={`#${SECTION_ID}`}>
          {t.toSection}
        </a>
      )}
    </Notice>
  )
}

export function DeletionSection({ me }: { me: Me }) {
  const t = useText(deletionText)
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useDeletionState()
  const [messages, setMessages] = useState<MessagesChoice>('keep')
  const [isAsking, setAsking] = useState(false)
  const setDeletion = (deletion: AccountDeletion | null) => {
    client.setQueryData([deletionEndpoints.state.path], data && { ...data, deletion })
    void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
  }
  return (
    <SectionCard id={SECTION_ID} title={t.title} help={t.help}>
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {data?.deletion && <PendingDeletion deletion={data.deletion} onKept={() => setDeletion(null)} />}
      {data && !data.deletion && (
        <>
          <DeletionSummary content={data.content} messages={messages} />
          <MessagesField value={messages} onChange={setMessages} />
          <div className="form-actions">
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t.open}
            </Button>
          </div>
        </>
      )}
      {isAsking && data && (
        <DeleteDialog
          me={me}
          content={data.content}
          messages={messages}
          onRequested={setDeletion}
          onClose={() => setAsking(false)}
        />
      )}
    </SectionCard>
  )
}

interface Props {
  deletion: AccountDeletion
  onKept: () => void
}

/** No button if an admin requested the deletion. */
function PendingDeletion({ deletion: { due_at, by_admin }, onKept }: Props) {
  const t = useText(deletionText)
  const formatError = useErrorText()
  const lang = useLang()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callEndpoint(deletionEndpoints.keep, {}),
    onSuccess: () => {
      onKept()
      showToast(t.kept, { key: 'deletion' })
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      else showToast(formatError(failure), { key: 'deletion', kind: 'error' })
    },
  })
  return (
    <>
      <Notice kind="warning">{(by_admin ? t.pendingByAdmin : t.pending)(dates.long(due_at, lang))}</Notice>
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
