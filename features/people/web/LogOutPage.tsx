import './account-pages.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { deleteLocalDataOfAccount, hasUnsentLocalDataOfAccount } from '#web/local-data.ts'
import { useMe, useSetMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { peopleEndpoints } from '../contract.ts'
import { logInAndProfileSpecificationTextPropsByName, signUpLogInAndProfileText } from './account-text.ts'

/** Logs the member out: ends the session, and deletes the data that this device has stored for the member. */
async function logOut(account: number | undefined) {
  await callEndpoint(peopleEndpoints.logOut, {})
  if (account !== undefined) await deleteLocalDataOfAccount(account)
}

/**
 * Renders the page that logs the member out as soon as it opens. Asks the member first if the device contains
 * a text that the member has not sent, because logging out deletes the text.
 */
export default function LogOutPage() {
  const t = useText(signUpLogInAndProfileText)
  const changed = useSetMe()
  const { mutate, isSuccess, isError, isIdle } = useMutation({
    mutationFn: logOut,
    onSuccess: () => changed(null),
    onError: (error) => isErrorWithStatus(error, 401) && changed(null),
  })
  const account = useMe()?.id
  const [asks, setAsks] = useState(false)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const unsent = account === undefined ? Promise.resolve(false) : hasUnsentLocalDataOfAccount(account)
    void unsent.then((isUnsent) => (isUnsent ? setAsks(true) : mutate(account)))
  }, [mutate, account])
  const isAsking = asks && isIdle

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.logOut}>
        <DecorativeAvatars />
      </PageHeader>
      <div className="card alone form-card">
        {isSuccess && (
          <Notice kind="success">
            <SpecificationTextWithTranslation
              {...logInAndProfileSpecificationTextPropsByName.logOutSucceeded}
            />
          </Notice>
        )}
        {isError && (
          <Notice kind="error">
            <SpecificationTextWithTranslation {...logInAndProfileSpecificationTextPropsByName.logOutFailed} />
          </Notice>
        )}
        {isAsking && (
          <>
            <p role="alert">{t.unsent}</p>
            <Button kind="danger" fullWidth onClick={() => mutate(account)}>
              {t.logOutAnyway}
            </Button>
          </>
        )}
        {!isSuccess && !isError && !isAsking && <LoadingText />}
        <ButtonLink fullWidth href="/">
          {isAsking ? t.stayLoggedIn : t.backToTop}
        </ButtonLink>
      </div>
    </PageLayout>
  )
}
