import '#features/people/ui.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accountText, fixed } from '#features/people/account-text.ts'
import { people } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { isRefusal } from '#web/failure.ts'
import { useMeChanged } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Fixed } from '#web/ui/Fixed.tsx'
import { House } from '#web/ui/House.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Said } from '#web/ui/Said.tsx'
import { Sill, Sitters } from '#web/ui/Sill.tsx'

export default function LogOutPage() {
  const t = useText(accountText)
  const changed = useMeChanged()
  const { mutate, isSuccess, isError } = useMutation({
    mutationFn: () => api(people.logOut, {}),
    onSuccess: () => changed(null),
    onError: (error) => isRefusal(error, 401) && changed(null),
  })
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    mutate()
  }, [mutate])

  return (
    <House kind="desk">
      <Sill title={t.logOut}>
        <Sitters />
      </Sill>
      <div className="board alone desk-board">
        {isSuccess && (
          <Said kind="good">
            <Fixed {...fixed.logOutGood} />
          </Said>
        )}
        {isError && (
          <Said kind="bad">
            <Fixed {...fixed.logOutBad} />
          </Said>
        )}
        {!isSuccess && !isError && <Loading />}
        <ButtonLink full href="/">
          {t.top}
        </ButtonLink>
      </div>
    </House>
  )
}
