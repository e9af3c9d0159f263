import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { peopleEndpoints } from '#features/people/contract.ts'
import { specTexts } from '#features/people/web/account-text.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { secondStepEndpoints } from '../contract.ts'
import { useLogInRedirect } from './after-log-in.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { secondStepText } from './second-step-text.ts'

/** Named as the input fields of the endpoint. */
type Kind = 'code' | 'recovery_code'

/** Rejects if the server refuses the code. Null if only the fetch of the account failed. */
async function finishLogIn(proof: { [kind in Kind]?: string }) {
  await callEndpoint(secondStepEndpoints.challenge, proof)
  return callEndpoint(peopleEndpoints.me, {}).catch(() => null)
}

export default function TwoFactorChallengePage() {
  const t = useText(secondStepText)
  const [kind, setKind] = useState<Kind>('code')
  const isCode = kind === 'code'
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.pageTitle}>
        <HeaderAvatars />
      </PageHeader>
      {/* A new form when `key` changes, so that the field and its error are empty. */}
      <ChallengeForm key={kind} kind={kind} />
      <p className="text-soft form-alternative">
        <Button kind="ghost" onClick={() => setKind(isCode ? 'recovery_code' : 'code')}>
          {isCode ? t.useRecoveryCode : t.useApp}
        </Button>
      </p>
      <p className="text-soft form-alternative">
        <Link className="link" href={`/login${location.search}`}>
          {t.startAgain}
        </Link>
      </p>
    </PageLayout>
  )
}

function ChallengeForm({ kind }: { kind: Kind }) {
  const t = useText(secondStepText)
  const formatError = useErrorText()
  const changed = useSetMe()
  const {
    mutate,
    data: me,
    error,
    isPending,
    isSuccess,
  } = useMutation({
    mutationFn: (code: string) => finishLogIn({ [kind]: code }),
    onSuccess: (account) => account && changed(account),
    onError: () => focusFirst('[aria-invalid="true"]'),
  })
  useLogInRedirect(isSuccess, me)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending && !isSuccess) mutate(String(new FormData(event.currentTarget).get('code')))
  }
  const errors = error instanceof ApiError ? error.errors : {}
  const wrong = (errors.code ?? errors.recovery_code)?.[0]
  const field =
    kind === 'code'
      ? { label: t.codeOfApp, hint: t.codeHint, inputMode: 'numeric' as const, autoComplete: 'one-time-code' }
      : { label: t.recoveryCode, autoCapitalize: 'none', autoComplete: 'off', spellCheck: false }
  return (
    <form className="card alone form-card" noValidate onSubmit={submit}>
      <p>{kind === 'code' ? t.challengeHelp : t.recoveryHelp}</p>
      <Field {...field} name="code" autoFocus error={wrong} />
      <Button kind="primary" fullWidth type="submit" pending={isPending}>
        {t.logIn}
      </Button>
      <PasskeyButton purpose="second step" />
      {isSuccess && (
        <Notice kind="success">
          <QuotedText {...specTexts.logInSucceeded} />
        </Notice>
      )}
      {error && !wrong && <Notice kind="error">{formatError(error)}</Notice>}
    </form>
  )
}
