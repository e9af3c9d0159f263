import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEmailOrElseHandleOfMember, type Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'
import { RecoveryCodeList } from './RecoveryCodeList.tsx'
import { createAccountSectionQueryOptions } from './section-query.ts'
import { accountPageText } from './text.ts'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

/**
 * Renders the section of the account page that says how many recovery codes are left, and that creates new
 * codes and shows them once.
 */
export function RecoveryCodesSection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  const formatError = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(
    createAccountSectionQueryOptions(accountEndpoints.recoveryCodes),
  )
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(accountEndpoints.createRecoveryCodes, {})),
    onSuccess: (created) => {
      setCodes(created.codes)
      client.setQueryData([accountEndpoints.recoveryCodes.path], { left: created.codes.length })
      void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
    },
    onError: (failure) => {
      if (failure instanceof ActionCancelledError) return
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      else showToast(formatError(failure), { key: 'codes', kind: 'error' })
    },
  })
  return (
    <AccountPageSectionCard title={t.codesTitle} help={t.codesHelp} className="recovery-codes-section">
      {!data && !error && <LoadingText />}
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {codes && (
        <RecoveryCodeList
          codes={codes}
          account={formatEmailOrElseHandleOfMember(me)}
          onSaved={() => setCodes(null)}
        />
      )}
      {data && !codes && (
        <>
          <p className="account-value">{t.codesLeft(data.left)}</p>
          <div className="form-actions">
            <Button pending={isPending} onClick={() => (data.left ? setAsking(true) : mutate())}>
              {data.left ? t.replaceCodes : t.createCodes}
            </Button>
          </div>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t.replaceCodesTitle}
          confirmLabel={t.replaceCodes}
          onConfirm={async () => mutate()}
          onClose={() => setAsking(false)}
        >
          {t.replaceCodesHelp}
        </ConfirmDialog>
      )}
      {dialog}
    </AccountPageSectionCard>
  )
}
