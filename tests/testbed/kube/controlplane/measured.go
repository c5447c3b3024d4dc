// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"
)

// What pods on paper use is what an annotation says. It is told as kubelets tell it, as a Metrics API
// and as dcgm-exporters do.
const (
	podCPU     = "schedlens.test/cpu"      // cores
	podMemory  = "schedlens.test/memory"   // working set
	podGPUBusy = "schedlens.test/gpu-busy" // percent, of each of its GPUs
	// node: its exporter, its kubelet and its Metrics API tell of one more GPU in use, by no pod
	nodeStray = "schedlens.test/stray-gpu"
)

// The node itself uses these, beside its pods.
const (
	systemCores  = 0.5
	systemMemory = 2 << 30
	gpuMemoryMiB = 80000
)

type measured struct {
	k         *kubelets
	mu        sync.Mutex
	counters  map[string]*counter // by the UID of a pod, or the name of a node
	cert, key string
	port      int // 0: nothing is told
}

// counter of CPU seconds.
type counter struct {
	seconds float64
	at      time.Time
}

func (m *measured) seconds(key string, start time.Time, cores float64, now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.counters[key]
	if c == nil {
		c = &counter{at: start}
		m.counters[key] = c
	}
	c.seconds += cores * now.Sub(c.at).Seconds()
	c.at = now
	return c.seconds
}

func coresOf(pod *corev1.Pod) float64 {
	cores, _ := strconv.ParseFloat(pod.Annotations[podCPU], 64)
	return cores
}

func memoryOf(pod *corev1.Pod) int64 {
	amount, err := resource.ParseQuantity(pod.Annotations[podMemory])
	if err != nil {
		return 0
	}
	return amount.Value()
}

// running pods of a node, or of all.
func (m *measured) running(node string) []*corev1.Pod {
	all, _ := m.k.pods.List(labels.Everything())
	var pods []*corev1.Pod
	for _, pod := range all {
		if pod.Status.Phase == corev1.PodRunning && pod.Status.StartTime != nil &&
			(node == "" || pod.Spec.NodeName == node) {
			pods = append(pods, pod)
		}
	}
	sort.Slice(pods, func(i, j int) bool {
		return pods[i].Namespace+"/"+pods[i].Name < pods[j].Namespace+"/"+pods[j].Name
	})
	return pods
}

func (m *measured) nodeUse(node string) (cores float64, memory int64) {
	cores, memory = systemCores, systemMemory
	for _, pod := range m.running(node) {
		cores += coresOf(pod)
		memory += memoryOf(pod)
	}
	return cores, memory
}

func (m *measured) resourcePage(node string) string {
	now := time.Now()
	ms := now.UnixMilli()
	var b strings.Builder
	for _, pod := range m.running(node) {
		used := m.seconds(string(pod.UID), pod.Status.StartTime.Time, coresOf(pod), now)
		// metrics-server leaves pods out of which a container uses nothing at all.
		parts := int64(len(pod.Spec.Containers))
		for _, c := range pod.Spec.Containers {
			id := fmt.Sprintf(`container=%q,namespace=%q,pod=%q`, c.Name, pod.Namespace, pod.Name)
			cpu, memory := used/float64(parts), memoryOf(pod)/parts
			fmt.Fprintf(&b, "container_cpu_usage_seconds_total{%s} %g %d\n", id, cpu, ms)
			fmt.Fprintf(&b, "container_memory_working_set_bytes{%s} %d %d\n", id, memory, ms)
			fmt.Fprintf(&b, "container_start_time_seconds{%s} %d\n", id, pod.Status.StartTime.Unix())
		}
		id := fmt.Sprintf(`namespace=%q,pod=%q`, pod.Namespace, pod.Name)
		fmt.Fprintf(&b, "pod_cpu_usage_seconds_total{%s} %g %d\n", id, used, ms)
		fmt.Fprintf(&b, "pod_memory_working_set_bytes{%s} %d %d\n", id, memoryOf(pod), ms)
	}
	cores, memory := m.nodeUse(node)
	fmt.Fprintf(&b, "node_cpu_usage_seconds_total %g %d\n", m.seconds(node, now, cores, now), ms)
	fmt.Fprintf(&b, "node_memory_working_set_bytes %d %d\n", memory, ms)
	fmt.Fprintf(&b, "resource_scrape_error 0\n")
	return b.String()
}

type object = map[string]any

func stats(cores float64, memory int64) object {
	now := metav1.Now()
	return object{
		"cpu":    object{"time": now, "usageNanoCores": int64(cores * 1e9)},
		"memory": object{"time": now, "workingSetBytes": memory},
	}
}

func (m *measured) summary(node string) object {
	cores, memory := m.nodeUse(node)
	whole := stats(cores, memory)
	whole["nodeName"] = node
	pods := []object{}
	for _, pod := range m.running(node) {
		entry := stats(coresOf(pod), memoryOf(pod))
		entry["podRef"] = object{"name": pod.Name, "namespace": pod.Namespace, "uid": pod.UID}
		first := stats(coresOf(pod), memoryOf(pod))
		first["name"] = pod.Spec.Containers[0].Name
		entry["containers"] = []object{first}
		pods = append(pods, entry)
	}
	return object{"node": whole, "pods": pods}
}

// The exporter gives GPUs to pods in the order of their names.
func (m *measured) gpuPage(node string) string {
	var b strings.Builder
	gpu := 0
	line := func(busy, memory float64, holder string) {
		id := fmt.Sprintf(`gpu="%d",UUID="GPU-%s-%d",modelName="paper",Hostname="exporter",%s`, gpu, node, gpu, holder)
		fmt.Fprintf(&b, "DCGM_FI_DEV_GPU_UTIL{%s} %g\n", id, busy)
		fmt.Fprintf(&b, "DCGM_FI_DEV_FB_USED{%s} %g\nDCGM_FI_DEV_FB_FREE{%s} %g\n", id, memory, id, gpuMemoryMiB-memory)
		gpu++
	}
	for _, pod := range m.running(node) {
		busy, _ := strconv.ParseFloat(pod.Annotations[podGPUBusy], 64)
		for _, c := range pod.Spec.Containers {
			count := c.Resources.Limits[gpuResource]
			for range count.Value() {
				line(busy, 40000, fmt.Sprintf(`container=%q,namespace=%q,pod=%q`, c.Name, pod.Namespace, pod.Name))
			}
		}
	}
	none := `container="",namespace="",pod=""`
	if object, err := m.k.nodes.Get(node); err == nil && object.Annotations[nodeStray] != "" {
		line(90, 1000, none)
	}
	for gpu < gpusPerNode {
		line(0, 0, none)
	}
	return b.String()
}

func (m *measured) podMetrics(namespace string) object {
	items := []object{}
	for _, pod := range m.running("") {
		if namespace != "" && pod.Namespace != namespace {
			continue
		}
		items = append(items, object{
			"metadata": object{"name": pod.Name, "namespace": pod.Namespace}, "timestamp": metav1.Now(), "window": "15.02s",
			"containers": []object{{"name": pod.Spec.Containers[0].Name, "usage": amounts(coresOf(pod), memoryOf(pod))}},
		})
	}
	return object{"kind": "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": object{}, "items": items}
}

func (m *measured) nodeMetrics() object {
	items := []object{}
	nodes, _ := m.k.nodes.List(labels.Everything())
	for _, node := range nodes {
		items = append(items, object{
			"metadata": object{"name": node.Name}, "timestamp": metav1.Now(), "window": "10s", "usage": amounts(m.nodeUse(node.Name)),
		})
	}
	return object{"kind": "NodeMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": object{}, "items": items}
}

func amounts(cores float64, memory int64) object {
	return object{"cpu": fmt.Sprintf("%dn", int64(cores*1e9)), "memory": fmt.Sprintf("%dKi", memory/1024)}
}

func (m *measured) resources() object {
	names := []object{}
	for kind, namespaced := range map[string]bool{"PodMetrics": true, "NodeMetrics": false} {
		name := strings.ToLower(strings.TrimSuffix(kind, "Metrics")) + "s"
		names = append(names, object{"name": name, "singularName": "", "namespaced": namespaced, "kind": kind, "verbs": []string{"get", "list"}})
	}
	return object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "metrics.k8s.io/v1beta1", "resources": names}
}

func answer(w http.ResponseWriter, document any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document)
}

// A kubelet asks who is there.
func let(handle func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		handle(w, r)
	}
}

// serve all of it on loopback: the kubelet of node i at its own address, on the same port everywhere;
// the Metrics API there at 127.0.0.1; the exporters on the next port, without TLS.
func (m *measured) serve(ctx context.Context) error {
	start := func(address string, handler http.Handler, secure bool) error {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			return err
		}
		server := &http.Server{Handler: handler, ReadHeaderTimeout: requestTimeout}
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		go func() {
			if secure {
				err = server.ServeTLS(listener, m.cert, m.key)
			} else {
				err = server.Serve(listener)
			}
			klog.V(1).InfoS("ended", "address", address, "err", err)
		}()
		return nil
	}
	for i := range m.k.fleet.count {
		name := m.k.fleet.name(i)
		mux := http.NewServeMux()
		mux.HandleFunc("/metrics", let(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, "kubelet_running_pods %d\n", len(m.running(name)))
		}))
		mux.HandleFunc("/metrics/resource", let(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, m.resourcePage(name)) }))
		mux.HandleFunc("/stats/summary", let(func(w http.ResponseWriter, _ *http.Request) { answer(w, m.summary(name)) }))
		if err := start(fmt.Sprintf("%s:%d", m.k.fleet.loopback(i), m.port), mux, true); err != nil {
			return err
		}
	}
	const group = "/apis/metrics.k8s.io/v1beta1"
	api := http.NewServeMux()
	api.HandleFunc(group, func(w http.ResponseWriter, _ *http.Request) { answer(w, m.resources()) })
	api.HandleFunc(group+"/pods", func(w http.ResponseWriter, _ *http.Request) { answer(w, m.podMetrics("")) })
	api.HandleFunc(group+"/namespaces/{namespace}/pods", func(w http.ResponseWriter, r *http.Request) { answer(w, m.podMetrics(r.PathValue("namespace"))) })
	api.HandleFunc(group+"/nodes", func(w http.ResponseWriter, _ *http.Request) { answer(w, m.nodeMetrics()) })
	if err := start(fmt.Sprintf("127.0.0.1:%d", m.port), api, true); err != nil {
		return err
	}
	gpus := http.NewServeMux()
	gpus.HandleFunc("/{node}/metrics", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, m.gpuPage(r.PathValue("node"))) })
	return start(fmt.Sprintf("127.0.0.1:%d", m.port+1), gpus, false)
}
