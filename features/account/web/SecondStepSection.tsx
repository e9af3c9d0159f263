import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEmailOrElseHandleOfMember, type Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useRefetchMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { secondStepEndpoints } from '../second-step-contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'
import { AuthenticatorAppSetupForm } from './AuthenticatorAppSetupForm.tsx'
import { RecoveryCodeList } from './RecoveryCodeList.tsx'
import { secondStepText } from './second-step-text.ts'
import { createAccountSectionQueryOptions } from './section-query.ts'
import { TurnOffSecondStepForm } from './TurnOffSecondStepForm.tsx'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

const key = [secondStepEndpoints.state.path]

/** Renders the section of the account page that turns the second step of the log-in on and off. */
export function SecondStepSection({ me }: { me: Me }) {
  const t = useText(secondStepText)
  const client = useQueryClient()
  const refetchMe = useRefetchMe()
  const [isTurningOff, setTurningOff] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const setup = useSetup()
  const { data, error, isFetching, refetch } = useQuery(
    createAccountSectionQueryOptions(secondStepEndpoints.state),
  )
  /**
   * Fetches all data again that depends on the second step: the data of this section, the security log, the
   * recovery codes, and the rights of an admin or moderator.
   */
  const reload = async () => {
    await client.invalidateQueries({ queryKey: key })
    void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
    void client.invalidateQueries({ queryKey: [accountEndpoints.recoveryCodes.path] })
    void refetchMe()
  }
  const turnedOn = (recoveryCodes: readonly string[]) => {
    setCodes(recoveryCodes)
    setup.close()
    void reload()
  }
  const turnedOff = async () => {
    await reload()
    setTurningOff(false)
    showToast(t.turnedOff, { key: 'second step' })
  }
  const isOn = Boolean(data?.confirmed_at)
  return (
    <AccountPageSectionCard title={t.title} help={t.help}>
      {me.needs_second_step && <Notice kind="warning">{t.needed}</Notice>}
      {!data && !error && <LoadingText />}
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {codes && (
        <>
          <p className="account-value">{t.newRecoveryCodes}</p>
          <RecoveryCodeList
            codes={codes}
            account={formatEmailOrElseHandleOfMember(me)}
            onSaved={() => setCodes(null)}
          />
        </>
      )}
      {data && !codes && !setup.data && (
        <p className="account-value">
          {data.confirmed_at ? (
            <>
              {t.on} <RelativeTime at={data.confirmed_at} />
            </>
          ) : (
            t.off
          )}
        </p>
      )}
      {setup.data && <AuthenticatorAppSetupForm {...setup.data} onDone={turnedOn} onCancel={setup.close} />}
      {isTurningOff && <TurnOffSecondStepForm onDone={turnedOff} onCancel={() => setTurningOff(false)} />}
      {data && !codes && !setup.data && !isTurningOff && (
        <div className="form-actions">
          {isOn ? (
            <Button kind="danger" onClick={() => setTurningOff(true)}>
              {t.turnOff}
            </Button>
          ) : (
            <Button pending={setup.isStarting} onClick={setup.start}>
              {t.setUp}
            </Button>
          )}
        </div>
      )}
      {setup.dialog}
    </AccountPageSectionCard>
  )
}

/**
 * Fetches a new secret when the member begins to set the second step up, and forgets it afterwards. Returns
 * the secret, functions for the begin and the end of the set-up, and the dialog that confirms the identity.
 */
function useSetup() {
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => run(() => callEndpoint(secondStepEndpoints.start, {})),
    gcTime: 0,
    onError: (failure) => {
      if (failure instanceof ActionCancelledError) return
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      else showToast(formatError(failure), { key: 'second step', kind: 'error' })
    },
  })
  return { data, isStarting: isPending, start: () => mutate(), close: reset, dialog }
}
