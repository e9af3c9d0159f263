import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { foldCaseAndWidth, foldNameForSearch } from '#core/unicode.ts'
import { callEndpoint } from '#web/api.ts'
import { type MentionCandidate, mentionEndpoints } from '../contract.ts'

/**
 * The time in milliseconds that must pass without a change of the word before the browser asks the server for
 * people.
 */
const SEARCH_DELAY = 120

/**
 * Returns the people whom the member may mean by the word after `@`, best first. `isKnown` is false while the
 * server has not answered for this word. Until then, `people` is filtered in the browser from an earlier
 * answer for the beginning of the word. `scope` is the value of the attribute `data-mentions`.
 */
export function useMentionCandidates(scope: string, word: string | undefined) {
  const asked = useDelayed(word)
  const {
    data = [],
    isSuccess,
    isPlaceholderData,
  } = useQuery({
    queryKey: [mentionEndpoints.candidates.path, scope, asked],
    queryFn: ({ signal }) => {
      const parameters = Object.fromEntries(new URLSearchParams(scope))
      return callEndpoint(mentionEndpoints.candidates, { q: asked, ...parameters }, { signal })
    },
    enabled: asked !== undefined,
    // Uses the last answer only if it is for the same `scope`, and if the new word begins with the word of
    // that answer. Any other answer may lack people who match the new word.
    placeholderData: (last, query) =>
      query?.queryKey[1] === scope && asked?.startsWith(`${query.queryKey[2]}`) ? last : undefined,
  })
  if (word === undefined || asked === undefined || !word.startsWith(asked))
    return { people: [], isKnown: false }
  const isKnown = isSuccess && !isPlaceholderData && asked === word
  return { people: isKnown ? data : data.filter((person) => isMatch(person, word)), isKnown }
}

/**
 * Returns the given value with a delay: a new value is returned when it has not changed for `SEARCH_DELAY`.
 * The value undefined is returned without a delay.
 */
function useDelayed(value: string | undefined) {
  const [delayed, setDelayed] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(setDelayed, SEARCH_DELAY, value)
    return () => clearTimeout(timer)
  }, [value])
  return value === undefined ? undefined : delayed
}

const isMatch = ({ name, handle }: MentionCandidate, word: string) =>
  foldNameForSearch(name).includes(foldNameForSearch(word)) || handle.startsWith(foldCaseAndWidth(word))
