import { useMutation } from '@tanstack/react-query'
import { peopleEndpoints } from '#features/people/contract.ts'
import { specificationTexts } from '#features/people/web/account-text.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SpecificationText } from '#web/ui/SpecificationText.tsx'
import { useRedirectAfterLogIn } from './after-log-in.ts'
import { arePasskeysSupported, signWithPasskey } from './passkey-client.ts'
import { passkeyText, usePasskeyErrorFormatter } from './passkey-text.ts'

async function logIn() {
  await signWithPasskey('log in')
  return callEndpoint(peopleEndpoints.me, {}).catch(() => null)
}

/**
 * Logs in with a passkey, which counts as both steps of a log-in, and opens the page of `?next=`. Shows
 * nothing in a browser without passkeys.
 */
export function PasskeyLogInButton() {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrorFormatter()
  const setMe = useSetMe()
  const {
    mutate,
    data: me,
    error,
    isPending,
    isSuccess,
  } = useMutation({ mutationFn: logIn, onSuccess: (account) => account && setMe(account) })
  useRedirectAfterLogIn(isSuccess, me)
  if (!arePasskeysSupported()) return null
  return (
    <div className="passkey-log-in">
      <Button fullWidth pending={isPending} onClick={() => !isSuccess && mutate()}>
        {t.logIn}
      </Button>
      {isSuccess && (
        <Notice kind="success">
          <SpecificationText {...specificationTexts.logInSucceeded} />
        </Notice>
      )}
      {error && <Notice kind="error">{formatError(error, 'use')}</Notice>}
    </div>
  )
}
