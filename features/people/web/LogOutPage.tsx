import './people.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMeChanged } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { people } from '../contract.ts'
import { accountText, fixed } from './account-text.ts'

export default function LogOutPage() {
  const t = useText(accountText)
  const changed = useMeChanged()
  const { mutate, isSuccess, isError } = useMutation({
    mutationFn: () => api(people.logOut, {}),
    onSuccess: () => changed(null),
    onError: (error) => isHttpError(error, 401) && changed(null),
  })
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    mutate()
  }, [mutate])

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
        {!isSuccess && !isError && <Loading />}
        <ButtonLink full href="/">
          {t.top}
        </ButtonLink>
      </div>
    </PageLayout>
  )
}
