import '#features/people/ui.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accountText, fixed } from '#features/people/account-text.ts'
import { people } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { isHttpError } from '#web/failure.ts'
import { useMeChanged } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { QuotedText } from '#web/ui/Fixed.tsx'
import { LogoHouse } from '#web/ui/House.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Said.tsx'
import { PageHeader, EmptyAvatars } from '#web/ui/Sill.tsx'

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
    <LogoHouse kind="desk">
      <PageHeader title={t.logOut}>
        <EmptyAvatars />
      </PageHeader>
      <div className="board alone desk-board">
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
    </LogoHouse>
  )
}
