import './people.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe, useMeChanged } from '#web/me.ts'
import { forgetAccount, hasUnsent } from '#web/own-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { people } from '../contract.ts'
import { accountText, fixed } from './account-text.ts'

/** Ends the session, and removes what this device stores for the member. */
async function logOut(account: number | undefined) {
  await api(people.logOut, {})
  if (account !== undefined) await forgetAccount(account)
}

/** Logs out when it is opened. Asks first where that deletes something that was not sent. */
export default function LogOutPage() {
  const t = useText(accountText)
  const changed = useMeChanged()
  const { mutate, isSuccess, isError, isIdle } = useMutation({
    mutationFn: logOut,
    onSuccess: () => changed(null),
    onError: (error) => isHttpError(error, 401) && changed(null),
  })
  const account = useMe()?.id
  const [asks, setAsks] = useState(false)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const unsent = account === undefined ? Promise.resolve(false) : hasUnsent(account)
    void unsent.then((isUnsent) => (isUnsent ? setAsks(true) : mutate(account)))
  }, [mutate, account])
  const isAsking = asks && isIdle

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.logOut}>
        <EmptyAvatars />
      </PageHeader>
      <div className="board alone form-board">
        {isSuccess && (
          <Notice kind="good">
            <QuotedText {...fixed.logOutGood} />
          </Notice>
        )}
        {isError && (
          <Notice kind="bad">
            <QuotedText {...fixed.logOutBad} />
          </Notice>
        )}
        {isAsking && (
          <>
            <p role="alert">{t.unsent}</p>
            <Button kind="danger" full onClick={() => mutate(account)}>
              {t.logOutAnyway}
            </Button>
          </>
        )}
        {!isSuccess && !isError && !isAsking && <Loading />}
        <ButtonLink full href="/">
          {isAsking ? t.stay : t.top}
        </ButtonLink>
      </div>
    </PageLayout>
  )
}
