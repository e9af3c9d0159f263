import { useMutation } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { people } from '../contract.ts'

/** A button that sends the verification mail again, and shows the result. */
export function SendLinkAgain({ children, small }: { children: string; small?: boolean }) {
  const explain = useExplain()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => api(people.sendVerification, {}),
  })
  if (data) return <Notice kind="good">{data.message}</Notice>
  return (
    <>
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      <Button small={small} full={!small} pending={isPending} onClick={() => mutate()}>
        {children}
      </Button>
    </>
  )
}
