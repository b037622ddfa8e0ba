const AT_ONCE = 16;

/** Maps in order with limited concurrency. */
export async function mapConcurrently<In, Out>(
  inputs: In[],
  map: (input: In) => Promise<Out>,
): Promise<Out[]> {
  const outputs: Out[] = new Array(inputs.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < inputs.length) {
      const index = next++;
      outputs[index] = await map(inputs[index] as In);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, inputs.length) }, work));
  return outputs;
}
