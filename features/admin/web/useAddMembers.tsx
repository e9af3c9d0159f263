import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { groups } from '#features/chat/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { admin } from '../contract.ts'

export interface Refused {
  person: Person
  error: unknown
}
export interface Adding {
  group: { id: number; name: string }
  added: number
  /** Whose turn it is, of how many; null once everybody had theirs. */
  turn: { at: number; of: number } | null
  refused: readonly Refused[]
}

/** What stops one of them stops all: no connection, no session, no right, no group. */
const stopsAll = (error: unknown) => [0, 401, 403, 404].some((status) => isHttpError(error, status))

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** A server that is asked too often says when to go on. */
async function addPatiently(id: number, user_id: number): Promise<void> {
  try {
    await api(groups.addUser, { id, user_id })
  } catch (error) {
    if (!isHttpError(error, 429)) throw error
    await sleep((error as ApiError).retryAfter ?? 1)
    await addPatiently(id, user_id)
  }
}

/** Adds people to a new group, one at a time. */
export function useAdding() {
  const client = useQueryClient()
  const [adding, setAdding] = useState<Adding | null>(null)

  const add = async (group: Adding['group'], people: readonly Person[], before = 0) => {
    const refused: Refused[] = []
    let added = before
    for (const [i, person] of people.entries()) {
      setAdding({ group, added, turn: { at: i + 1, of: people.length }, refused: [] })
      const error = await addPatiently(group.id, person.id).then(
        () => null,
        (error: unknown) => error,
      )
      if (!error) added++
      else if (stopsAll(error)) {
        refused.push(...people.slice(i).map((person) => ({ person, error })))
        if (isHttpError(error, 401)) pleaseLogIn()
        break
      } else refused.push({ person, error })
    }
    forgetInitialAnswers()
    for (const path of [admin.groups.path, admin.facts.path, groups.mine.path])
      client.invalidateQueries({ queryKey: [path] })
    setAdding({ group, added, turn: null, refused })
  }

  const busy = Boolean(adding?.turn)
  useEffect(() => {
    if (!busy) return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [busy])

  return {
    adding,
    add,
    retry: () =>
      adding &&
      add(
        adding.group,
        adding.refused.map(({ person }) => person),
        adding.added,
      ),
    forget: () => setAdding(null),
  }
}
