import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Me, nameToLogIn } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { RecoveryCodeList } from './RecoveryCodeList.tsx'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'
import { sectionQuery } from './section-query.ts'
import { accountPageText } from './text.ts'
import { useConfirmation } from './useConfirmation.tsx'

/** Shows new codes once. */
export function RecoverySection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(sectionQuery(accountEndpoints.recoveryCodes))
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(accountEndpoints.createRecoveryCodes, {})),
    onSuccess: (created) => {
      setCodes(created.codes)
      client.setQueryData([accountEndpoints.recoveryCodes.path], { left: created.codes.length })
      void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
    },
    onError: (failure) => {
      if (failure instanceof CancelledError) return
      if (hasStatus(failure, 401)) showLogInToast()
      else showToast(formatError(failure), { key: 'codes', kind: 'error' })
    },
  })
  return (
    <SectionCard title={t.codesTitle} help={t.codesHelp} className="recovery-codes-section">
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {codes && <RecoveryCodeList codes={codes} account={nameToLogIn(me)} onSaved={() => setCodes(null)} />}
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
    </SectionCard>
  )
}
