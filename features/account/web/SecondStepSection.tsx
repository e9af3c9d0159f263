import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Me, nameToLogIn } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useRefetchMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints, secondStepEndpoints } from '../contract.ts'
import { AppSetupForm } from './AppSetupForm.tsx'
import { RecoveryCodeList } from './RecoveryCodeList.tsx'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'
import { secondStepText } from './second-step-text.ts'
import { sectionQuery } from './section-query.ts'
import { TurnOffForm } from './TurnOffForm.tsx'
import { useConfirmation } from './useConfirmation.tsx'

const key = [secondStepEndpoints.state.path]

export function SecondStepSection({ me }: { me: Me }) {
  const t = useText(secondStepText)
  const client = useQueryClient()
  const refetchMe = useRefetchMe()
  const [isTurningOff, setTurningOff] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const setup = useSetup()
  const { data, error, isFetching, refetch } = useQuery(sectionQuery(secondStepEndpoints.state))
  /** All data that depends on the second step, also the rights of an admin or moderator. */
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
    <SectionCard id="second-step" title={t.title} help={t.help}>
      {me.needs_second_step && <Notice kind="warning">{t.needed}</Notice>}
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {codes && (
        <>
          <p className="account-value">{t.newRecoveryCodes}</p>
          <RecoveryCodeList codes={codes} account={nameToLogIn(me)} onSaved={() => setCodes(null)} />
        </>
      )}
      {data && !codes && !setup.data && (
        <p className="account-value">
          {data.confirmed_at ? (
            <>
              {t.on}
              <RelativeTime at={data.confirmed_at} />
            </>
          ) : (
            t.off
          )}
        </p>
      )}
      {setup.data && <AppSetupForm {...setup.data} onDone={turnedOn} onCancel={setup.close} />}
      {isTurningOff && <TurnOffForm onDone={turnedOff} onCancel={() => setTurningOff(false)} />}
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
    </SectionCard>
  )
}

/** Forgets the secret afterwards. */
function useSetup() {
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => run(() => callEndpoint(secondStepEndpoints.start, {})),
    gcTime: 0,
    onError: (failure) => {
      if (failure instanceof CancelledError) return
      if (hasStatus(failure, 401)) showLogInToast()
      else showToast(formatError(failure), { key: 'second step', kind: 'error' })
    },
  })
  return { data, isStarting: isPending, start: () => mutate(), close: reset, dialog }
}
