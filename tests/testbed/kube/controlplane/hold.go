// SPDX-License-Identifier: Apache-2.0
package main

import (
	"context"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
)

// The plugin Hold lets a pod wait at the Permit extension point, as gang schedulers do, for as long
// as its annotation says. It is registered in every scheduler and does nothing until a profile
// enables it.
const (
	holdName       = "Hold"
	holdAnnotation = "schedlens.test/hold" // "30s"
)

type hold struct{}

func newHold(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) { return hold{}, nil }

func (hold) Name() string { return holdName }

func (hold) Permit(_ context.Context, _ fwk.CycleState, pod *v1.Pod, _ string) (*fwk.Status, time.Duration) {
	wait, err := time.ParseDuration(pod.Annotations[holdAnnotation])
	if err != nil || wait <= 0 {
		return nil, 0
	}
	return fwk.NewStatus(fwk.Wait, "held by its annotation"), wait
}
