import './account-pages.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { deleteLocalData, hasUnsentLocalData } from '#web/local-data.ts'
import { useMe, useSetMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SpecificationText } from '#web/ui/SpecificationText.tsx'
import { peopleEndpoints } from '../contract.ts'
import { accountText, specificationTexts } from './account-text.ts'

/** Ends the session and deletes the member's data from this device. */
async function logOut(account: number | undefined) {
  await callEndpoint(peopleEndpoints.logOut, {})
  if (account !== undefined) await deleteLocalData(account)
}

/** Logs out as soon as it is opened. Asks first if logging out would delete something that was not sent. */
export default function LogOutPage() {
  const t = useText(accountText)
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
    const unsent = account === undefined ? Promise.resolve(false) : hasUnsentLocalData(account)
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
            <SpecificationText {...specificationTexts.logOutSucceeded} />
          </Notice>
        )}
        {isError && (
          <Notice kind="error">
            <SpecificationText {...specificationTexts.logOutFailed} />
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
        {!isSuccess && !isError && !isAsking && <Loading />}
        <ButtonLink fullWidth href="/">
          {isAsking ? t.stayLoggedIn : t.backToTop}
        </ButtonLink>
      </div>
    </PageLayout>
  )
}
