import { useMutation } from '@tanstack/react-query'
import { peopleEndpoints } from '#features/people/contract.ts'
import { specTexts } from '#features/people/web/account-text.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { useLogInRedirect } from './after-log-in.ts'
import { type PasskeyPurpose, signWithPasskey, supportsPasskeys } from './passkey-client.ts'
import { passkeyText, usePasskeyErrors } from './passkey-text.ts'

async function logIn(purpose: LogInPurpose) {
  await signWithPasskey(purpose)
  return callEndpoint(peopleEndpoints.me, {}).catch(() => null)
}

type LogInPurpose = Exclude<PasskeyPurpose, 'confirm'>

/** Counts as both steps or, after the password, as the second. Nothing in a browser without passkeys. */
export function PasskeyButton({ purpose }: { purpose: LogInPurpose }) {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrors()
  const setMe = useSetMe()
  const {
    mutate,
    data: me,
    error,
    isPending,
    isSuccess,
  } = useMutation({ mutationFn: () => logIn(purpose), onSuccess: (account) => account && setMe(account) })
  useLogInRedirect(isSuccess, me)
  if (!supportsPasskeys()) return null
  return (
    <div className="passkey-log-in">
      <Button fullWidth pending={isPending} onClick={() => !isSuccess && mutate()}>
        {purpose === 'log in' ? t.logIn : t.confirm}
      </Button>
      {isSuccess && (
        <Notice kind="success">
          <QuotedText {...specTexts.logInSucceeded} />
        </Notice>
      )}
      {error && <Notice kind="error">{formatError(error, 'use')}</Notice>}
    </div>
  )
}
