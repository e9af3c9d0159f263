import { useMutation } from '@tanstack/react-query'
import { peopleEndpoints } from '#features/people/contract.ts'
import { logInAndProfileSpecificationTextPropsByName } from '#features/people/web/account-text.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { useDelayedRedirectAfterLogIn } from './after-log-in.ts'
import {
  arePasskeysSupported,
  logInOrConfirmWithPasskeyInBrowser,
  type PasskeyAssertionPurpose,
} from './passkey-client.ts'
import { passkeyText, usePasskeyErrorFormatter } from './passkey-text.ts'

async function logIn(purpose: LogInPurpose) {
  await logInOrConfirmWithPasskeyInBrowser(purpose)
  return callEndpoint(peopleEndpoints.me, {}).catch(() => null)
}

type LogInPurpose = Exclude<PasskeyAssertionPurpose, 'confirm'>

/**
 * Renders a button that logs in with a passkey and then opens the page of `?next=`. The passkey counts as
 * both steps of a log-in or, after the password, as the second step. Renders nothing in a browser without
 * passkeys.
 */
export function PasskeyLogInButton({ purpose }: { purpose: LogInPurpose }) {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrorFormatter()
  const setMe = useSetMe()
  const {
    mutate,
    data: me,
    error,
    isPending,
    isSuccess,
  } = useMutation({ mutationFn: () => logIn(purpose), onSuccess: (account) => account && setMe(account) })
  useDelayedRedirectAfterLogIn(isSuccess, me)
  if (!arePasskeysSupported()) return null
  return (
    <div className="passkey-log-in">
      <Button fullWidth pending={isPending} onClick={() => !isSuccess && mutate()}>
        {purpose === 'log in' ? t.logIn : t.confirm}
      </Button>
      {isSuccess && (
        <Notice kind="success">
          <SpecificationTextWithTranslation {...logInAndProfileSpecificationTextPropsByName.logInSucceeded} />
        </Notice>
      )}
      {error && <Notice kind="error">{formatError(error, 'use')}</Notice>}
    </div>
  )
}
