import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { deleteLocalData, hasUnsentData } from '#web/local-data.ts'
import { useMe, useSetMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { peopleEndpoints } from '../contract.ts'
import { accountText, specTexts } from './account-text.ts'

/** Also deletes the data that this device has stored for the member. */
async function logOut(account: number | undefined) {
  await callEndpoint(peopleEndpoints.logOut, {})
  if (account !== undefined) await deleteLocalData(account)
}

/** Logs out as soon as it opens. Asks first if the device has an unsent text, which logging out deletes. */
export default function LogOutPage() {
  const t = useText(accountText)
  const changed = useSetMe()
  const { mutate, isSuccess, isError, isIdle } = useMutation({
    mutationFn: logOut,
    onSuccess: () => changed(null),
    onError: (error) => hasStatus(error, 401) && changed(null),
  })
  const account = useMe()?.id
  const [asks, setAsks] = useState(false)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const unsent = account === undefined ? Promise.resolve(false) : hasUnsentData(account)
    void unsent.then((isUnsent) => (isUnsent ? setAsks(true) : mutate(account)))
  }, [mutate, account])
  const isAsking = asks && isIdle

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.logOut}>
        <HeaderAvatars />
      </PageHeader>
      <div className="card alone form-card">
        {isSuccess && (
          <Notice kind="success">
            <QuotedText {...specTexts.logOutSucceeded} />
          </Notice>
        )}
        {isError && (
          <Notice kind="error">
            <QuotedText {...specTexts.logOutFailed} />
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
